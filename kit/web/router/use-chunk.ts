import { useEffect, useReducer, useState } from 'react'
import { tellFault } from '../fault.ts'
import type { Found } from '../page.ts'
import { loadedNeeds, loadedPage, loadNeeds, loadPage, reloadOnce } from './load.ts'

type Page = Found['page']

export function useChunk(page: Page | undefined): boolean {
  const [, arrived] = useReducer((count: number) => count + 1, 0)
  const [failed, setFailed] = useState<Page | null>(null)
  const here = page !== undefined && loadedPage(page) !== undefined && loadedNeeds(page) !== undefined
  useEffect(() => {
    if (!page || here) return
    let left = false
    const show = (): void => void (left || arrived())
    loadNeeds(page).then(show, () => {})
    loadPage(page).then(show, (error: unknown) => {
      if (left || reloadOnce()) return
      setFailed(page)
      tellFault('error', error)
    })
    return () => void (left = true)
  }, [page, here])
  return page !== undefined && failed === page && !here
}
