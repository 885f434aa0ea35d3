import { NotFoundScreen } from './NotFoundScreen.tsx'

// No page shares this module, so the build keeps a chunk for it, by which the server knows the page.
export default NotFoundScreen
