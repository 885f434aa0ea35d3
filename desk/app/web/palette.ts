import type { ComponentType } from 'react'
import type { Place } from './places.ts'

export type PaletteProps = { open: boolean; places: readonly Place[]; onClose: () => void }

/**
 * Loads the search palette. `null` without a palette: Ctrl-K then focuses the search field, which leads to the search
 * page.
 */
export const loadPalette: (() => Promise<{ default: ComponentType<PaletteProps> }>) | null = () =>
  import('#desk/features/search/web/Palette.tsx')

const wishes = new EventTarget()

/** Opens the palette from anywhere. Returns false when no listener can open it. */
export const askForPalette = (): boolean => !wishes.dispatchEvent(new Event('asked', { cancelable: true }))

export function onPaletteAsked(open: () => void): () => void {
  const asked = (event: Event): void => {
    event.preventDefault()
    open()
  }
  wishes.addEventListener('asked', asked)
  return () => wishes.removeEventListener('asked', asked)
}
