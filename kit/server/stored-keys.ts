import { randomBytes } from 'node:crypto'
import { type Config, ConfigError } from './config.ts'
import { type Db, transact, type Trx } from './db.ts'
import { createSecrets, derivedKey, type StoredKeyPurpose, storedKeyPurposes, type Secrets } from './secrets.ts'

declare module './db.ts' {
  interface Tables {
    /**
     * `sealed_key` has the encrypted keys in hexadecimal, with commas between them; `null` while the key is still to be derived from the
     * secret.
     */
    kept_keys: { purpose: StoredKeyPurpose; sealed_key: string | null }
  }
}

type SecretKeys = { mode: Config['mode']; secretKey: string; secretKeyPrevious: string | null }

/**
 * Opens the secrets of this installation. Keys that outlive SECRET_KEY are created at the first start, and sealed again at each start after
 * SECRET_KEY has changed. Concurrent starts take turns.
 * @throws ConfigError when the database was used with another secret
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
  return openKeys(secrets, resealedKeys ?? sealed ?? '') ?? demoKeys(keys, purpose)
}

/**
 * Derives the keys of a purpose from the previous and the present secret. Every existing hash was made with one of these keys, because the
 * secret may have changed with this very start.
 */
const derivedKeys = ({ secretKey, secretKeyPrevious }: SecretKeys, purpose: StoredKeyPurpose): string =>
  [...(secretKeyPrevious === null ? [] : [secretKeyPrevious]), secretKey]
    .map((secret) => derivedKey(secret, purpose).toString('hex'))
    .join()

function openKeys(secrets: Secrets, sealed: string): Buffer[] | null {
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
 * Derives keys for a demo that cannot open the stored keys. Several demos can share a database, each with a secret that it has generated
 * itself, and nobody owns a voucher of a demo.
 * @throws ConfigError in production
 */
function demoKeys({ mode, secretKey }: SecretKeys, purpose: StoredKeyPurpose): Buffer[] {
  if (mode === 'demo') return [derivedKey(secretKey, purpose)]
  throw new ConfigError([
    'SECRET_KEY is different from the key that this database was used with: set SECRET_KEY_PREVIOUS to that key.',
  ])
}
