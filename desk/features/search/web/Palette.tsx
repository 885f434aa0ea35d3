import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { toFormErrors, getErrorEntryMessage } from '#kit/contract/errors.ts'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { maxSearchTextLength } from '../search.contract.ts'
import { ResultList } from './ResultList.tsx'
import { type MenuLink, findMenuEntries, type DisplayedGroup } from './matching-menu-entries.ts'
import { useSelection } from './use-selection.ts'
import { minSearchLetters, useSearch } from './use-search.ts'
import { noResultsText } from './no-results.labels.ts'
import * as s from './Palette.module.css'

type Props = {
  open: boolean
  places?: readonly MenuLink[]
  onClose: () => void
}

export default function Palette({ open, places = [], onClose }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || !dialog) return
    dialog.showModal()
    const listenerController = new AbortController()
    dialog.addEventListener('close', () => close(), listenerController)
    /*
     * The dialog's `close` event fires late, when someone may already be opening the dialog again. `cancel` fires
     * immediately, so it is handled too.
     */
    dialog.addEventListener('cancel', () => close(), listenerController)
    // The content fills the dialog, so an event whose target is the dialog itself comes from the backdrop.
    dialog.addEventListener('mousedown', ({ target }) => target === dialog && close(), listenerController)
    return () => {
      listenerController.abort()
      dialog.close()
    }
  }, [open])
  /*
   * The dialog is rendered outside the page frame: on a phone the frame's search field is hidden, and a dialog inside
   * it would be hidden too.
   */
  return createPortal(
    <div data-dense>
      <dialog ref={ref} className={s.palette} aria-label="Find">
        {open && <Search places={places} onClose={onClose} />}
      </dialog>
    </div>,
    document.body,
  )
}

function Search({ places, onClose }: Required<Omit<Props, 'open'>>) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const { of, results, error } = useSearch(text)
  const isNew = of === text
  const found = results?.groups ?? []
  const groups: DisplayedGroup[] = [...found, ...(text.length < minSearchLetters ? [] : findMenuEntries(places, text))]
  const rows = groups.flatMap((group) => group.rows)
  const { chosen, setChosen, keyDown, isAwaited } = useSelection(rows, { text, isNew, failed: error !== null }, onClose)

  return (
    <div className={s.body}>
      <div className={s.top}>
        <DeskIcon name="search" />
        <input
          className={s.field}
          role="combobox"
          aria-label="Number, name, e-mail, order, SIM or last four digits"
          aria-expanded={rows.length > 0}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={rows[chosen] && `${id}${chosen}`}
          placeholder="Number, name, e-mail, order, SIM or last four digits"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={maxSearchTextLength}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={keyDown}
        />
        <p className={s.count} role="status">
          {isAwaited
            ? 'Looking'
            : results && resultCountLabel(found.flatMap((group) => group.rows).length, results.took_ms)}
        </p>
        <button type="button" className={s.close} onClick={onClose} aria-label="Close, Esc">
          <KeyHint keys="Esc" />
          <DeskIcon name="close" className={s.cross} />
        </button>
      </div>
      <div className={s.found} hidden={!error && !results && text.length < minSearchLetters}>
        <ResultList
          {...{ id, groups, rows, chosen, onClose }}
          isBusy={!isNew && text.length >= minSearchLetters}
          onPoint={setChosen}
        />
        {error && (
          <p className={s.nothing} role="alert">
            {errorText(error)}
          </p>
        )}
        {results && found.length === 0 && <p className={s.nothing}>{noResultsText(results)}</p>}
      </div>
      <PaletteFooter />
    </div>
  )
}

const PaletteFooter = () => (
  <footer className={s.foot}>
    <span className={s.keys}>
      <KeyHint keys="↑ ↓" /> choose
    </span>
    <span className={s.keys}>
      <KeyHint keys="Enter" /> open
    </span>
    <span className={s.written}>Searches are logged</span>
  </footer>
)

const resultCountLabel = (count: number, tookMs: number): string => `${count} found in ${tookMs} ms`

const errorText = (error: Error): string =>
  Object.values(toFormErrors(error))
    .flatMap((entries) => entries.map(getErrorEntryMessage))
    .join(' ')
