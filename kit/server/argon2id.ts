import { argon2 } from 'node:crypto'
import { promisify } from 'node:util'

/** KiB of memory, passes over them, and lanes: what a hash takes of whoever makes it. */
type Settings = { salt: Buffer; memory: number; passes: number; lanes: number; bytes: number }
/** The raw hash of RFC 9106, in `bytes` bytes; made on a thread of Node's pool, with no secret and no associated data. */
export type Argon2id = (password: string, settings: Settings) => Promise<Buffer>

const atOnce = promisify(argon2)

/** Node's own, which is compiled for any processor. */
export const argon2idOfNode: Argon2id = (password, { salt, memory, passes, lanes, bytes }) =>
  atOnce('argon2id', { message: password, nonce: salt, tagLength: bytes, memory, passes, parallelism: lanes })

// It has no build for every platform: where it has none, nothing but time is lost.
const library = await import('@node-rs/argon2').catch(() => null)

/** Uses what the processor can do beyond that, in less than half of the time; absent where it was not installed. */
export const argon2idOfLibrary: Argon2id | null =
  library &&
  ((password, { salt, memory, passes, lanes, bytes }) =>
    library.hashRaw(password, {
      // Its names for kinds exist only for the compiler: 2 is argon2id, and version 0x13 its default.
      algorithm: 2,
      salt,
      memoryCost: memory,
      timeCost: passes,
      parallelism: lanes,
      outputLen: bytes,
    }))

export const argon2id: Argon2id = argon2idOfLibrary ?? argon2idOfNode
