import type { Visitor } from '#quality/support/visitor.ts'
import type { ParameterValues } from './attack-accounts.ts'
import type { AttackContext } from './attack-context.ts'

export type ValidRequest = { visitor: Visitor; params?: ParameterValues; query?: Record<string, string>; body?: object }

export type Example = {
  /**
   * Who may use the endpoint. The default is a signed-in visitor with a confirmed address. `session` means that only the session that
   * started the order or change may use it.
   */
  who?: 'anyone' | 'session' | 'signed in'
  bearer?: true
  /** Prepares a valid request. By default, the attacker, Mallory, sends her own values for the path parameters, and an empty body. */
  right?(scene: AttackContext): Promise<ValidRequest>
  /** How a visitor would try to guess a secret, one request at a time. Any request after the first `most` must be answered with 429. */
  guesses?: {
    most: number
    who(scene: AttackContext): Promise<Visitor>
    call(scene: AttackContext, at: number): Pick<ValidRequest, 'params' | 'body'>
  }
  noGuessing?: string
}
