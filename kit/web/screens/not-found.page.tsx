import { NotFoundScreen } from './NotFoundScreen.tsx'

// A module that no page shares: the build keeps a chunk for it, by which the server knows the page.
export default NotFoundScreen
