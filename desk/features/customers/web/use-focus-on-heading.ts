import { useEffect } from 'react'

/** The question that stood here has gone with what had the focus. */
export function useFocusOnHeading(): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
}
