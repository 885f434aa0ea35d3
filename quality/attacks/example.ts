import type { Visitor } from '#quality/support/visitor.ts'
import type { Belongings } from './cast.ts'
import type { Scene } from './scene.ts'

/** A call that is right, and whose it is. */
export type Right = { visitor: Visitor; params?: Belongings; query?: Record<string, string>; body?: object }

export type Example = {
  /** Who may call. Nothing said: signed in, with a confirmed address. `session`: for what this very session began. */
  who?: 'anyone' | 'session' | 'signed in'
  /** Any visitor who has the link or the code may call. */
  bearer?: true
  /** Gets a right call ready. Nothing said: Mallory's, with what the path and the body name of hers. */
  right?(scene: Scene): Promise<Right>
  /** How a visitor would guess what they do not have, one call after another: after `most` of them 429 has come. */
  guesses?: {
    most: number
    who(scene: Scene): Promise<Visitor>
    call(scene: Scene, at: number): Pick<Right, 'params' | 'body'>
  }
  /** Why nothing is guessed here, though it takes something that is secret. */
  noGuessing?: string
}
