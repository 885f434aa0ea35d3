import type { Visitor } from '#quality/support/visitor.ts'
import type { Belongings } from './cast.ts'
import type { Scene } from './scene.ts'

export type Right = { visitor: Visitor; params?: Belongings; query?: Record<string, string>; body?: object }

export type Example = {
  /**
   * The callers who are allowed, by default a signed-in visitor with a confirmed address. `session`: only the session that began the
   * matter.
   */
  who?: 'anyone' | 'session' | 'signed in'
  bearer?: true
  /** Prepares a right call. By default it is Mallory's, with her values for the names in the path and the body. */
  right?(scene: Scene): Promise<Right>
  /** The way in which a visitor would guess a secret, one call after another. After `most` calls the answer must be 429. */
  guesses?: {
    most: number
    who(scene: Scene): Promise<Visitor>
    call(scene: Scene, at: number): Pick<Right, 'params' | 'body'>
  }
  noGuessing?: string
}
