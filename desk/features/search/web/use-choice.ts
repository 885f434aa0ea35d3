import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from '#kit/web/router/location.ts'
import type { ShownRow } from './places-found.ts'
import { leastLetters } from './use-search.ts'

type Asked = { text: string; isNew: boolean; failed: boolean }

/**
 * Selection by keyboard over the rows of all groups, which begins at the first row of each response. Enter before the response waits for
 * it: a single result is opened, and of several results the person chooses. A second Enter opens the search page.
 */
export function useChoice(rows: ShownRow[], { text, isNew, failed }: Asked, onClose: () => void) {
  const navigate = useNavigate()
  const [{ of, at }, setAt] = useState({ of: rows, at: 0 })
  const isSame =
    of.length === rows.length &&
    of.every(({ href, hit }, index) => rows[index]?.href === href && rows[index]?.hit === hit)
  const chosen = isSame ? at : 0
  const [entered, setEntered] = useState('')
  const isAwaited = entered !== '' && entered === text && !isNew
  function open(href: string) {
    onClose()
    navigate(href)
  }
  const openAtLast = useEffectEvent(open)
  const pageOfSearch = `/find/?${new URLSearchParams({ q: text })}`
  const only = rows.length === 1 ? rows[0]?.href : undefined
  useEffect(() => {
    if (!entered || !isNew) return
    if (entered === text && (only || failed)) openAtLast(only ?? pageOfSearch)
    setEntered('')
  }, [entered, text, isNew, failed, only, pageOfSearch])
  const setChosen = (index: number) => setAt({ of: rows, at: index })

  function keyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by && rows.length > 0) {
      event.preventDefault()
      setChosen((chosen + by + rows.length) % rows.length)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || text === '') return
    event.preventDefault()
    // Enter never opens a result of an earlier text.
    if (isNew || isAwaited || text.length < leastLetters) open((isNew && rows[chosen]?.href) || pageOfSearch)
    else setEntered(text)
  }
  return { chosen, setChosen, keyDown, isAwaited }
}
