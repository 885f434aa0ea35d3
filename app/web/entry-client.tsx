import '@vitejs/plugin-react/preamble'
import { match } from './all-pages.ts'
import { start } from './start.tsx'

// The browser's entry script in development. A build has an entry script for each page: `app/build/first-pages.ts`.
void start(match(location.pathname).page)
