import { useEffect, useLayoutEffect, useRef } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { formatTabTitle } from './title.ts'

/**
 * When the page changes, does what a browser does for a new document: scrolls to the top, sets the title and focuses the heading, which a
 * screen reader then reads out. The first page is left alone, because the browser has already done all that. A `null` title means that
 * there is nothing to read yet.
 */
export function usePageFocus({ place, title }: { place: string; title: string | null }): void {
  const { brand } = useBootstrap()
  const lastScrolledPlace = useRef(place)
  const lastAnnouncedPlace = useRef<string | null>(title === null ? null : place)

  useManualScrollRestoration()

  useLayoutEffect(() => {
    if (lastScrolledPlace.current === place) return
    lastScrolledPlace.current = place
    window.scrollTo({ top: 0, behavior: 'instant' })
  }, [place])

  useLayoutEffect(() => {
    if (title === null) {
      lastAnnouncedPlace.current = null
      return
    }
    document.title = formatTabTitle(title, brand)
    if (lastAnnouncedPlace.current === place) return
    lastAnnouncedPlace.current = place
    focusHeading()
  }, [place, title, brand])
}

/** Makes the browser's Back button show the top of a page instead of restoring the scroll position. A reload may still restore it. */
function useManualScrollRestoration(): void {
  useEffect(() => {
    const abortController = new AbortController()
    const disableRestoration = () => void (history.scrollRestoration = 'manual')
    const enableRestoration = () => void (history.scrollRestoration = 'auto')
    disableRestoration()
    window.addEventListener('pageshow', disableRestoration, abortController)
    window.addEventListener('pagehide', enableRestoration, abortController)
    return () => {
      abortController.abort()
      enableRestoration()
    }
  }, [])
}

function focusHeading(): void {
  const main = document.querySelector('main')
  if (!main || main.contains(document.activeElement)) return
  const heading = main.querySelector<HTMLElement>('h1') ?? main
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
