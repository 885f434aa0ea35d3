import { useEffect, useReducer, useState } from 'react'
import type { Page } from '../page.ts'
import { loadedNeeds, loadedPage, loadNeeds, loadPage, reloadOnce } from './load.ts'

/** Fetches a page's code if it is not there yet; renders again as it arrives. True when it cannot be had. */
export function useChunk(page: Page): boolean {
  const [, arrived] = useReducer((count: number) => count + 1, 0)
  const [failed, setFailed] = useState<Page | null>(null)
  const here = loadedPage(page) !== undefined && loadedNeeds(page) !== undefined
  useEffect(() => {
    if (here) return
    let left = false
    const show = (): void => void (left || arrived())
    // What it needs may come first, and then its data is under way while the page itself still is.
    loadNeeds(page).then(show, () => {})
    loadPage(page).then(show, () => void (left || reloadOnce() || setFailed(page)))
    return () => void (left = true)
  }, [page, here])
  return failed === page && !here
}
