import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/*
 * The compile cache must be enabled before any other import. Compiling takes a third of a start, which the cache of an earlier start saves.
 * The cache's content is executed, so its folder lies beside the built portal, where no other user can write.
 * If the cache cannot be written, each start compiles again.
 */
enableCompileCache(join(import.meta.dirname, '../dist/compiled'))
await import('./run.ts')
