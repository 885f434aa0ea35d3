import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/*
 * The compile cache must be enabled before any other import. Compiling takes up a third of the start-up time, and a cache from an earlier
 * start saves it. Node executes what the cache contains, so its folder is next to the built portal, where no other user can write. If the
 * cache cannot be written, the application compiles again at each start.
 */
enableCompileCache(join(import.meta.dirname, '../dist/compiled'))
await import('./run.ts')
