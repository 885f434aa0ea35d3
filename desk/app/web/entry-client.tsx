import { pages } from '#desk/app/pages.ts'
import { start } from './start.tsx'

void start(pages)
