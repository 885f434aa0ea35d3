import { type ComponentType, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { loadPalette, onPaletteRequested, type PaletteProps } from './palette.ts'
import type { MenuEntry } from './menu-entries.ts'
import * as s from './SearchField.module.css'

export function SearchField({ places }: { places: readonly MenuEntry[] }) {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { palette, open } = usePalette(places, () => {
    // On a phone the search field is hidden, so the search page opens instead.
    if (field.current?.offsetParent === null) navigate('/find/')
    field.current?.focus()
    field.current?.select()
  })
  useShortcuts({ 'Ctrl+k': open, '/': open })
  const onRequested = useEffectEvent(open)
  useEffect(() => onPaletteRequested(() => onRequested()), [])

  function submitSearch(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = field.current?.value.trim()
    if (text) navigate(`/find/?${new URLSearchParams({ q: text })}`)
  }

  return (
    <>
      <form role="search" action="/find/" method="get" className={s.search} onSubmit={submitSearch}>
        <DeskIcon name="search" />
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="Find a customer, a number, an order or a SIM"
          placeholder="Number, name, e-mail, order, SIM or last four digits"
          aria-keyshortcuts="Control+K /"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          onClick={loadPalette ? open : undefined}
        />
        <KeyHint keys="Ctrl K" />
      </form>
      {palette}
    </>
  )
}

type PaletteControl = { palette: TextFreeNode; open: () => void }

/** Loads the search palette on first use. Calls `onUnavailable` if the palette cannot be loaded. */
function usePalette(places: readonly MenuEntry[], onUnavailable: () => void): PaletteControl {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)
  const [isOpen, setOpen] = useState(false)

  async function open(): Promise<void> {
    const loadedPalette = await loadPalette?.().catch(() => null)
    if (!loadedPalette) return onUnavailable()
    setPalette(() => loadedPalette.default)
    setOpen(true)
  }

  return {
    palette: Palette && <Palette open={isOpen} places={places} onClose={() => setOpen(false)} />,
    open: () => void open(),
  }
}
