import { randomBytes } from 'node:crypto'
import { type Config, ConfigError } from './config.ts'
import { type Db, transact, type Trx } from './db.ts'
import { createSecrets, deriveKey, type StoredKeyPurpose, storedKeyPurposes, type Secrets } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    /**
     * `sealed_key` holds the list of keys, in hexadecimal and separated by commas, in encrypted form. It is `null` until the key has been
     * derived from the secret.
     */
    kept_keys: { purpose: StoredKeyPurpose; sealed_key: string | null }
  }
}

type SecretKeys = { mode: Config['mode']; secretKey: string; secretKeyPrevious: string | null }

/**
 * Loads this installation's secrets. Keys that outlive SECRET_KEY are created on the first start, and re-encrypted on the next start after
 * SECRET_KEY changes. Concurrent starts take turns.
 * @throws ConfigError if the database was used with a different secret
 */
export async function openSecrets(db: Db, keys: SecretKeys): Promise<Secrets> {
  const { secretKey, secretKeyPrevious: previous } = keys
  const kept = await transact(db, async (trx) => {
    const keysByPurpose: [StoredKeyPurpose, Buffer[]][] = []
    for (const purpose of storedKeyPurposes) keysByPurpose.push([purpose, await readStoredKeys(trx, keys, purpose)])
    return Object.fromEntries(keysByPurpose) as Record<StoredKeyPurpose, Buffer[]>
  })
  return createSecrets(secretKey, { previous, kept })
}

async function readStoredKeys(trx: Trx, keys: SecretKeys, purpose: StoredKeyPurpose): Promise<Buffer[]> {
  const secrets = createSecrets(keys.secretKey, { previous: keys.secretKeyPrevious })
  await trx
    .insertInto('kept_keys')
    .values({ purpose, sealed_key: secrets.seal(randomBytes(32).toString('hex')) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { sealed_key: sealed } = await trx
    .selectFrom('kept_keys')
    .select('sealed_key')
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const resealedKeys = sealed === null ? secrets.seal(derivedKeys(keys, purpose)) : secrets.reseal(sealed)
  if (resealedKeys)
    await trx.updateTable('kept_keys').set({ sealed_key: resealedKeys }).where('purpose', '=', purpose).execute()
  return unsealKeys(secrets, resealedKeys ?? sealed ?? '') ?? deriveDemoKeys(keys, purpose)
}

/**
 * Derives a purpose's keys from the previous and the current secret. Every existing hash was made with one of these keys. The previous
 * secret is included because the secret may have changed with this very start.
 */
const derivedKeys = ({ secretKey, secretKeyPrevious }: SecretKeys, purpose: StoredKeyPurpose): string =>
  [...(secretKeyPrevious === null ? [] : [secretKeyPrevious]), secretKey]
    .map((secret) => deriveKey(secret, purpose).toString('hex'))
    .join()

function unsealKeys(secrets: Secrets, sealed: string): Buffer[] | null {
  try {
    return secrets
      .open(sealed)
      .split(',')
      .map((key) => Buffer.from(key, 'hex'))
  } catch {
    return null
  }
}

/**
 * Derives keys for a demo that cannot decrypt the stored ones. Several demos can share a database although each has generated its own
 * secret. Losing the stored keys is harmless in a demo, because no real customer owns its vouchers.
 * @throws ConfigError in production
 */
function deriveDemoKeys({ mode, secretKey }: SecretKeys, purpose: StoredKeyPurpose): Buffer[] {
  if (mode === 'demo') return [deriveKey(secretKey, purpose)]
  throw new ConfigError([
    'SECRET_KEY is not the key that this database was last used with: set SECRET_KEY_PREVIOUS to that key.',
  ])
}
