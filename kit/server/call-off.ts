import type pg from 'pg'
import { whenAwakeFor } from './awake-timer.ts'
import { cancelStatement, type Backend } from './cancel-statement.ts'
import { silent } from './database-connections.ts'
import { destroySocket } from './database-hosts.ts'
import { graceMs } from './statement-bounds.ts'

type Outcome = {
  /** The server is asked to end it, and might end what is asked next instead: the connection is used for nothing more. */
  called(): void
  /** Not even that was heard. */
  unheard(): void
}

/** Calls a statement off once it has taken as long as it may, and breaks the connection of one that does not end then either. */
export function callOffAfter(client: pg.PoolClient, ms: number, { called, unheard }: Outcome): { end(): void } {
  let isOver = false
  const callOff = async (): Promise<void> => {
    called()
    const isHeard = await cancelStatement(client as unknown as Backend, graceMs - 100)
    if (isOver) return
    if (isHeard) timer = whenAwakeFor(graceMs, () => destroySocket(client, silent()))
    else unheard()
  }
  let timer = whenAwakeFor(ms, () => void callOff())
  return {
    end() {
      isOver = true
      timer.clear()
    },
  }
}
