/** What `npm run test:year` runs: a customer's year by the clock. It leaves all mails and texts in `a-year.txt`. */
import { join } from 'node:path'
import { conclude, vitest } from '../tally.ts'

const sheet = join(import.meta.dirname, '../../a-year.txt')
conclude([await vitest('a year in the life', ['year'], { minutes: 25, env: { YEAR_SHEET: sheet } })])
