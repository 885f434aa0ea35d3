import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from '#kit/web/router/location.ts'
import type { ShownRow } from './places-found.ts'
import { leastLetters } from './use-search.ts'

type Asked = { text: string; isNew: boolean; failed: boolean }

/**
 * Which row the keys have come to, counted through all groups. It begins at the first with each answer. Who presses Enter before the
 * answer waits for it: the only hit is opened, of several one is chosen; who presses again gets the page of the search.
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
    // What was found of the text before is not what is meant now.
    if (isNew || isAwaited || text.length < leastLetters) open((isNew && rows[chosen]?.href) || pageOfSearch)
    else setEntered(text)
  }
  return { chosen, setChosen, keyDown, isAwaited }
}
