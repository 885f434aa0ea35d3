import { useEffect } from 'react'

/** Moves the focus to the heading once the reason form, which had the focus, has disappeared. */
export function useFocusOnHeading(): void {
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
}
