import { type KeyboardEvent, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { errorsOf, sentenceOf } from '#kit/contract/errors.ts'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { type FoundGroup, type FoundRow, longestText } from '../search.contract.ts'
import { FoundWords } from './FoundWords.tsx'
import { leastLetters, useSearch } from './use-search.ts'
import s from './Palette.module.css'

type Props = { open: boolean; onClose: () => void }

/** The search over any page, which finds while its reader types. */
export default function Palette({ open, onClose }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    dialog.showModal()
    const listening = new AbortController()
    dialog.addEventListener('close', () => close(), listening)
    // Its content fills the box, so this is the backdrop.
    dialog.addEventListener('mousedown', ({ target }) => target === dialog && close(), listening)
    return () => {
      listening.abort()
      dialog.close()
    }
  }, [open])
  // Outside of what stands round the page: on a phone the field that it belongs to is not shown, and neither would it be.
  return createPortal(
    <div data-dense>
      <dialog ref={ref} className={s.palette} aria-label="Find">
        {open && <Search onClose={onClose} />}
      </dialog>
    </div>,
    document.body,
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const { of, results, error } = useSearch(text)
  const groups = results?.groups ?? []
  const rows = groups.flatMap((group) => group.rows)
  const { chosen, setChosen, keyDown } = useChoice(rows, { text, isNew: of === text }, onClose)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen])

  return (
    <div className={s.body}>
      <div className={s.top}>
        <DeskIcon name="search" />
        <input
          className={s.field}
          role="combobox"
          aria-label="Number, name, e-mail, order, SIM or last four"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={rows[chosen] && `${id}${chosen}`}
          placeholder="Number, name, e-mail, order, SIM or last four"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={longestText}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={keyDown}
        />
        <p className={s.count} role="status">
          {results && wordsOf(rows.length, results.took_ms)}
        </p>
        <button type="button" className={s.close} onClick={onClose} aria-label="Close, Esc">
          <KeyHint keys="Esc" />
          <DeskIcon name="close" className={s.cross} />
        </button>
      </div>
      <div className={s.found} hidden={!error && !results && text.length < leastLetters}>
        <div ref={list} id={`${id}list`} role="listbox" aria-label="Found" tabIndex={-1}>
          {groups.map((group) => (
            <Group key={group.kind} {...{ id, group, chosen, onClose }} rows={rows} onPoint={setChosen} />
          ))}
        </div>
        {error && (
          <p className={s.nothing} role="alert">
            {sentences(error)}
          </p>
        )}
        {results && groups.length === 0 && <p className={s.nothing}>Nobody and nothing was found.</p>}
      </div>
      <Foot />
    </div>
  )
}

const Foot = () => (
  <footer className={s.foot}>
    <span className={s.keys}>
      <KeyHint keys="↑ ↓" /> choose
    </span>
    <span className={s.keys}>
      <KeyHint keys="Enter" /> open
    </span>
    <span className={s.written}>What you look for is written down</span>
  </footer>
)

const wordsOf = (count: number, tookMs: number): string => `${count} found in ${tookMs} ms`

const sentences = (error: Error): string =>
  Object.values(errorsOf(error))
    .flatMap((entries) => entries.map(sentenceOf))
    .join(' ')

/** Which row the keys have come to, counted through all groups. It begins at the first with each answer. */
function useChoice(rows: FoundRow[], { text, isNew }: { text: string; isNew: boolean }, onClose: () => void) {
  const navigate = useNavigate()
  const [{ of, at }, setAt] = useState({ of: rows, at: 0 })
  const isSame =
    of.length === rows.length &&
    of.every(({ href, hit }, index) => rows[index]?.href === href && rows[index]?.hit === hit)
  const chosen = isSame ? at : 0
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
    const href = (isNew && rows[chosen]?.href) || `/find/?${new URLSearchParams({ q: text })}`
    onClose()
    navigate(href)
  }
  return { chosen, setChosen, keyDown }
}

type GroupProps = {
  id: string
  group: FoundGroup
  rows: FoundRow[]
  chosen: number
  onPoint: (index: number) => void
  onClose: () => void
}

function Group({ id, group, rows, chosen, onPoint, onClose }: GroupProps) {
  const title = `${id}${group.kind}`
  return (
    <div role="group" aria-labelledby={title}>
      <p id={title} role="presentation" className={s.title}>
        {group.title}
        {group.too_long && ': took too long, and was given up'}
        {group.more && <span> · there are more, say more of it</span>}
      </p>
      {group.rows.map((row) => {
        const index = rows.indexOf(row)
        return (
          <Link
            key={index}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            href={row.href}
            className={s.row}
            onClick={onClose}
            onMouseMove={() => index !== chosen && onPoint(index)}
          >
            <FoundWords row={row} />
          </Link>
        )
      })}
    </div>
  )
}
