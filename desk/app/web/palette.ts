import type { ComponentType } from 'react'
import type { Place } from './places.ts'

/** What the frame gives the palette, which shows what was found as its reader types. */
export type PaletteProps = { open: boolean; places: readonly Place[]; onClose: () => void }

/** Fetches the palette; null where there is none: Ctrl-K then goes to the field, which leads to a page. */
export const loadPalette: (() => Promise<{ default: ComponentType<PaletteProps> }>) | null = () =>
  import('#desk/features/search/web/Palette.tsx')

const wishes = new EventTarget()

/** Has the palette open from anywhere; false when there is nobody who could. */
export const askForPalette = (): boolean => !wishes.dispatchEvent(new Event('asked', { cancelable: true }))

/** Opens it when it is asked for, until the function it returns is called. */
export function onPaletteAsked(open: () => void): () => void {
  const asked = (event: Event): void => {
    event.preventDefault()
    open()
  }
  wishes.addEventListener('asked', asked)
  return () => wishes.removeEventListener('asked', asked)
}
