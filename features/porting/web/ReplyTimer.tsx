import { useEffect, useState } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Progress } from '#kit/web/widgets/Progress.tsx'
import { replyLabels } from './reply.labels.ts'
import { useMinutesLeft } from './use-minutes-left.ts'
import * as s from './transfer.module.css'

const totalMinutes = 120

/** Screen readers announce the remaining time when these numbers of minutes are left. */
const announcedMinutes = [30, 10, 0]

export const findMinuteToAnnounce = (before: number, left: number): number | null =>
  announcedMinutes.findLast((mark) => left <= mark && mark < before) ?? null

export const timeUpMessage = 'Time’s up. We’re checking the result.'

/**
 * Shows the minutes left to confirm a transfer. Screen readers do not announce changes to the `timer` role, so a
 * separate status announces 30, 10 and 0 minutes.
 */
export function ReplyTimer({ end }: { end: string }) {
  const minutesLeft = useMinutesLeft(end)
  const replyTexts = replyLabels[useBootstrap().market.code]
  return (
    <>
      <p className={s.timer} role="timer" aria-label={replyTexts.timer}>
        {minutesLeft > 0 && (
          <>
            <b>{minutesLeft}</b> <span>min left</span>
          </>
        )}
      </p>
      <div className={s.bar}>
        <Progress
          value={minutesLeft}
          max={totalMinutes}
          kind="sun"
          label={replyTexts.timer}
          valueText={minutesLeft === 1 ? '1 minute' : `${minutesLeft} minutes`}
        />
      </div>
      <MinutesAnnouncement left={minutesLeft} words={replyTexts.left} />
    </>
  )
}

function MinutesAnnouncement({ left, words }: { left: number; words: (minutes: number) => string }) {
  const [previousMinutes, setPreviousMinutes] = useState(left)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const announcedMinute = findMinuteToAnnounce(previousMinutes, left)
    if (announcedMinute !== null) setAnnouncement(announcedMinute === 0 ? timeUpMessage : words(left))
    setPreviousMinutes(left)
  }, [previousMinutes, left, words])
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  )
}
