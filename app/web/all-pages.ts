import { pages } from '#app/pages.ts'
import { type Match, matchPage } from '#kit/web/page.ts'

// What a browser knows of the other pages. It comes after the first one has started, and nothing of that waits for it.

/** The page of a path, which is the not-found page when there is no other. */
export const match = (path: string): Match => matchPage(pages, path)
