import '@vitejs/plugin-react/preamble'
import { match } from './all-pages.ts'
import { start } from './start.tsx'

void start(match(location.pathname).page)
