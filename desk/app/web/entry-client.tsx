import { pages } from '#desk/app/pages.ts'
import { start } from './start.tsx'

// Where the browser begins, whatever the page.
void start(pages)
