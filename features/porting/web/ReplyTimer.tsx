import { useEffect, useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { replyWords } from './reply-words.ts'
import { useMinutesLeft } from './use-minutes-left.ts'
import * as s from './transfer.module.css'

const wholeMinutes = 120

/** Minutes left at which screen readers announce the time. */
const marks = [30, 10, 0]

export const toldAt = (before: number, left: number): number | null =>
  marks.findLast((mark) => left <= mark && mark < before) ?? null

export const timeIsUp = 'Time’s up. We’re checking the result.'

/**
 * The minutes left. Screen readers do not announce changes of a `timer`, so a separate status announces 30, 10 and 0
 * minutes.
 */
export function ReplyTimer({ end }: { end: string }) {
  const left = useMinutesLeft(end)
  const words = replyWords[useBootstrap().market.code]
  return (
    <>
      <p className={s.timer} role="timer" aria-label={words.timer}>
        {left > 0 && (
          <>
            <b>{left}</b> <span>min left</span>
          </>
        )}
      </p>
      <div className={s.bar}>
        <Progress
          value={left}
          max={wholeMinutes}
          kind="sun"
          label={words.timer}
          valueText={left === 1 ? '1 minute' : `${left} minutes`}
        />
      </div>
      <Aloud left={left} words={words.left} />
    </>
  )
}

function Aloud({ left, words }: { left: number; words: (minutes: number) => string }) {
  const [before, setBefore] = useState(left)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const mark = toldAt(before, left)
    if (mark !== null) setSaid(mark === 0 ? timeIsUp : words(left))
    setBefore(left)
  }, [before, left, words])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}
