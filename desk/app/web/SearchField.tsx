import { type ComponentType, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { useKeys } from '#kit/web/desk/use-keys.ts'
import { useNavigate } from '#kit/web/router/location.ts'
import type { Elements } from '#kit/web/text-elements.tsx'
import { loadPalette, onPaletteAsked, type PaletteProps } from './palette.ts'
import type { Place } from './places.ts'
import * as s from './SearchField.module.css'

export function SearchField({ places }: { places: readonly Place[] }) {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const { palette, open } = usePalette(places, () => {
    // A phone does not show this field, so the search page with its own field opens.
    if (field.current?.offsetParent === null) navigate('/find/')
    field.current?.focus()
    field.current?.select()
  })
  useKeys({ 'Ctrl+k': open, '/': open })
  const asked = useEffectEvent(open)
  useEffect(() => onPaletteAsked(() => asked()), [])

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = field.current?.value.trim()
    if (text) navigate(`/find/?${new URLSearchParams({ q: text })}`)
  }

  return (
    <>
      <form role="search" action="/find/" method="get" className={s.search} onSubmit={find}>
        <DeskIcon name="search" />
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="Find a customer, a number, an order or a SIM"
          placeholder="Number, name, e-mail, order, SIM or last four"
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

type Asked = { palette: Elements; open: () => void }

/** The search palette, loaded on first use. Calls `otherwise` when the palette cannot be loaded. */
function usePalette(places: readonly Place[], otherwise: () => void): Asked {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)
  const [isOpen, setOpen] = useState(false)

  async function open(): Promise<void> {
    const loaded = await loadPalette?.().catch(() => null)
    if (!loaded) return otherwise()
    setPalette(() => loaded.default)
    setOpen(true)
  }

  return {
    palette: Palette && <Palette open={isOpen} places={places} onClose={() => setOpen(false)} />,
    open: () => void open(),
  }
}
