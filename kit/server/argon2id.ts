import { argon2 } from 'node:crypto'
import { promisify } from 'node:util'

/** `memory` (in KiB), `passes` and `lanes` determine a hash's cost. `bytes` is the hash's length. */
type HashSettings = { salt: Buffer; memory: number; passes: number; lanes: number; bytes: number }
/** Computes a raw Argon2id hash (RFC 9106) in Node's thread pool, without a secret or associated data. */
export type Argon2id = (password: string, settings: HashSettings) => Promise<Buffer>

const argon2Async = promisify(argon2)

export const nodeArgon2id: Argon2id = (password, { salt, memory, passes, lanes, bytes }) =>
  argon2Async('argon2id', { message: password, nonce: salt, tagLength: bytes, memory, passes, parallelism: lanes })

// `@node-rs/argon2` has no build for some platforms. Without it, hashing is merely slower.
const nativeArgon2 = await import('@node-rs/argon2').catch(() => null)

/** Argon2id from a native package, which takes less than half as long as Node's own; `null` if the package is not installed. */
export const nativeArgon2id: Argon2id | null =
  nativeArgon2 &&
  ((password, { salt, memory, passes, lanes, bytes }) =>
    nativeArgon2.hashRaw(password, {
      // The package's enum exists only at compile time: 2 means Argon2id. The algorithm version defaults to 0x13.
      algorithm: 2,
      salt,
      memoryCost: memory,
      timeCost: passes,
      parallelism: lanes,
      outputLen: bytes,
    }))

export const argon2id: Argon2id = nativeArgon2id ?? nodeArgon2id
