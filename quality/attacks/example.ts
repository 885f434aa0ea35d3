import type { Visitor } from '#quality/support/visitor.ts'
import type { Belongings } from './cast.ts'
import type { Scene } from './scene.ts'

/** A right call, and the visitor who may make it. */
export type Right = { visitor: Visitor; params?: Belongings; query?: Record<string, string>; body?: object }

export type Example = {
  /**
   * The callers who are allowed, by default a signed-in visitor with a confirmed address. `session`: only the session that began the
   * matter.
   */
  who?: 'anyone' | 'session' | 'signed in'
  /** Any visitor who has the link or the code may call. */
  bearer?: true
  /** Prepares a right call. By default it is Mallory's, with her values for the names in the path and the body. */
  right?(scene: Scene): Promise<Right>
  /** The way in which a visitor would guess a secret, one call after another. After `most` calls the answer must be 429. */
  guesses?: {
    most: number
    who(scene: Scene): Promise<Visitor>
    call(scene: Scene, at: number): Pick<Right, 'params' | 'body'>
  }
  /** The reason why nothing is guessed, although the call takes a secret. */
  noGuessing?: string
}
