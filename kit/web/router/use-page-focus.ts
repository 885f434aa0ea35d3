import { useEffect, useLayoutEffect, useRef } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { tabTitle } from './title.ts'

/**
 * Does what a new document would do: it scrolls to the top, sets the title and focuses the heading, which a screen reader then reads out.
 * The first page is left alone, because the browser has done all that. A `null` title means that there is nothing to read yet.
 */
export function usePageFocus({ place, title }: { place: string; title: string | null }): void {
  const { brand } = useBootstrap()
  const top = useRef(place)
  const read = useRef<string | null>(title === null ? null : place)

  useOwnScrolling()

  useLayoutEffect(() => {
    if (top.current === place) return
    top.current = place
    window.scrollTo({ top: 0, behavior: 'instant' })
  }, [place])

  useLayoutEffect(() => {
    if (title === null) {
      read.current = null
      return
    }
    document.title = tabTitle(title, brand)
    if (read.current === place) return
    read.current = place
    focusHeading()
  }, [place, title, brand])
}

/** BACK also begins at the top of the page; the browser would restore the former position. A reload may still restore it. */
function useOwnScrolling(): void {
  useEffect(() => {
    const listening = new AbortController()
    const take = () => void (history.scrollRestoration = 'manual')
    const giveBack = () => void (history.scrollRestoration = 'auto')
    take()
    window.addEventListener('pageshow', take, listening)
    window.addEventListener('pagehide', giveBack, listening)
    return () => {
      listening.abort()
      giveBack()
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
