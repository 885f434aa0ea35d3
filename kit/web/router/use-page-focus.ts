import { useEffect, useLayoutEffect, useRef } from 'react'
import { useBootstrap } from '../bootstrap.tsx'
import { tabTitle } from './title.ts'

/**
 * What a new document would have done: begin at the top, name the tab, and take the reader to the heading, which a screen
 * reader then reads out. The first page is left alone; the browser has done all that. No title: nothing to read yet.
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

/** BACK begins at the top, too; the browser would go where its visitor had been. A reload it may still treat that way. */
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
  // A page that has put the cursor somewhere itself knows better.
  if (!main || main.contains(document.activeElement)) return
  const heading = main.querySelector<HTMLElement>('h1') ?? main
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
