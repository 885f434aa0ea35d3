import { NotFoundScreen } from './NotFoundScreen.tsx'

// No other page shares this module, so the build keeps it in a separate chunk, by which the server recognises the page.
export default NotFoundScreen
