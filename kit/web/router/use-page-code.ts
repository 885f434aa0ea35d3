import { useEffect, useReducer, useState } from 'react'
import { reportFault } from '../fault.ts'
import type { MatchedPage } from '../page.ts'
import { getLoadedPageLoader, getLoadedPage, loadPageLoader, loadPage, reloadOnce } from './page-modules.ts'

type Page = MatchedPage['page']

export function usePageCode(page: Page | undefined): boolean {
  const [, arrived] = useReducer((count: number) => count + 1, 0)
  const [failed, setFailed] = useState<Page | null>(null)
  const isLoaded = page !== undefined && getLoadedPage(page) !== undefined && getLoadedPageLoader(page) !== undefined
  useEffect(() => {
    if (!page || isLoaded) return
    let left = false
    const show = (): void => void (left || arrived())
    loadPageLoader(page).then(show, () => {})
    loadPage(page).then(show, (error: unknown) => {
      if (left || reloadOnce()) return
      setFailed(page)
      reportFault('error', error)
    })
    return () => void (left = true)
  }, [page, isLoaded])
  return page !== undefined && failed === page && !isLoaded
}
