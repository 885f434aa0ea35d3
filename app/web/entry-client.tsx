import '@vitejs/plugin-react/preamble'
import { match } from './all-pages.ts'
import { start } from './start.tsx'

// Where the browser begins in development. A build has a beginning for each page: `app/build/first-pages.ts`.
void start(match(location.pathname).page)
