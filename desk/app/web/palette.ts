import type { ComponentType } from 'react'
import type { MenuEntry } from './menu-entries.ts'

export type PaletteProps = { open: boolean; places: readonly MenuEntry[]; onClose: () => void }

/** Loads the search palette. If this is `null`, Ctrl-K focuses the search field instead, which leads to the search page. */
export const loadPalette: (() => Promise<{ default: ComponentType<PaletteProps> }>) | null = () =>
  import('#desk/features/search/web/Palette.tsx')

const paletteRequests = new EventTarget()

/** Opens the palette from anywhere on the page. Returns false if nothing is listening for the request. */
export const requestPalette = (): boolean => !paletteRequests.dispatchEvent(new Event('asked', { cancelable: true }))

export function onPaletteRequested(open: () => void): () => void {
  const handleRequest = (event: Event): void => {
    event.preventDefault()
    open()
  }
  paletteRequests.addEventListener('asked', handleRequest)
  return () => paletteRequests.removeEventListener('asked', handleRequest)
}
