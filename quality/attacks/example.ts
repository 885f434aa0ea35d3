import type { Visitor } from '#quality/support/visitor.ts'
import type { ParameterValues } from './attack-accounts.ts'
import type { AttackContext } from './attack-context.ts'

export type Right = { visitor: Visitor; params?: ParameterValues; query?: Record<string, string>; body?: object }

export type Example = {
  /**
   * The callers who are allowed, by default a signed-in visitor with a confirmed address. `session`: only the session that began the
   * matter.
   */
  who?: 'anyone' | 'session' | 'signed in'
  bearer?: true
  /** Prepares a right call. By default it is Mallory's, with her values for the names in the path and the body. */
  right?(scene: AttackContext): Promise<Right>
  /** The way in which a visitor would guess a secret, one call after another. After `most` calls the answer must be 429. */
  guesses?: {
    most: number
    who(scene: AttackContext): Promise<Visitor>
    call(scene: AttackContext, at: number): Pick<Right, 'params' | 'body'>
  }
  noGuessing?: string
}
