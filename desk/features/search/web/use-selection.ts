import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from '#kit/web/router/location.ts'
import type { DisplayedRow } from './matching-menu-entries.ts'
import { minSearchLetters } from './use-search.ts'

type SearchState = { text: string; isNew: boolean; failed: boolean }

/**
 * Keyboard selection across the rows of all groups. Each response selects its first row. If Enter is pressed before the
 * response arrives, a single result opens as soon as it does; if there are several, the person chooses one. Pressing
 * Enter a second time opens the search page.
 */
export function useSelection(rows: DisplayedRow[], { text, isNew, failed }: SearchState, onClose: () => void) {
  const navigate = useNavigate()
  const [{ of, at }, setAt] = useState({ of: rows, at: 0 })
  const isSameResult =
    of.length === rows.length &&
    of.every(({ href, hit }, index) => rows[index]?.href === href && rows[index]?.hit === hit)
  const selectedIndex = isSameResult ? at : 0
  const [entered, setEntered] = useState('')
  const isEnterPending = entered !== '' && entered === text && !isNew
  function open(href: string) {
    onClose()
    navigate(href)
  }
  const openWhenReady = useEffectEvent(open)
  const searchPageUrl = `/find/?${new URLSearchParams({ q: text })}`
  const onlyResultHref = rows.length === 1 ? rows[0]?.href : undefined
  useEffect(() => {
    if (!entered || !isNew) return
    if (entered === text && (onlyResultHref || failed)) openWhenReady(onlyResultHref ?? searchPageUrl)
    setEntered('')
  }, [entered, text, isNew, failed, onlyResultHref, searchPageUrl])
  const selectIndex = (index: number) => setAt({ of: rows, at: index })

  function handleKeyDown(event: KeyboardEvent) {
    // While an input method composes text, these keys choose and confirm its suggestions.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && rows.length > 0) {
      event.preventDefault()
      selectIndex((selectedIndex + step + rows.length) % rows.length)
    }
    if (event.key !== 'Enter' || text === '') return
    event.preventDefault()
    // Enter never opens a result for an earlier search text.
    if (isNew || isEnterPending || text.length < minSearchLetters)
      open((isNew && rows[selectedIndex]?.href) || searchPageUrl)
    else setEntered(text)
  }
  return { chosen: selectedIndex, setChosen: selectIndex, keyDown: handleKeyDown, isAwaited: isEnterPending }
}
