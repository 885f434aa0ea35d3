import { NotFoundScreen } from './NotFoundScreen.tsx'

// No other page shares this module, so the build keeps a separate chunk for it, by which the server knows the page.
export default NotFoundScreen
