import type { DehydratedState } from '@tanstack/react-query'

/** What a page's data looks like inside its document, beside the bootstrap. */
export type PageState = {
  queries: DehydratedState
  /** False when the page could not be rendered on the server: then its root is empty. */
  rendered: boolean
}

/** Ids of the document's elements that both sides know. */
export const ids = { root: 'root', bootstrap: 'bootstrap', state: 'state' } as const
