import { useSyncExternalStore } from 'react'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { getServerTime } from '#kit/web/server-time.ts'
import * as s from './caller-verification.module.css'

/** Returns how many minutes are left until a time, by the server's clock, rounded up. Returns `0` once the time has passed. */
export function useMinutesLeft(until: string | null): number {
  const { serverTime } = useBootstrap()
  const minutesLeftAt = (now: number): number =>
    until === null ? 0 : Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000))
  return useSyncExternalStore(
    subscribeToClock,
    () => minutesLeftAt(getServerTime().getTime()),
    () => minutesLeftAt(Date.parse(serverTime)),
  )
}

function subscribeToClock(onChange: () => void): () => void {
  const timer = setInterval(onChange, 10_000)
  return () => clearInterval(timer)
}

type Props = {
  minutes: number
  onVerify: () => void
}

export function CallerStatus({ minutes, onVerify }: Props) {
  if (minutes === 0)
    return (
      <DenseButton icon="shield" keys="V" onClick={onVerify}>
        Verify caller
      </DenseButton>
    )
  return (
    <p className={s.verified}>
      <DeskIcon name="shield" />
      Caller verified by PIN, {minutes} min left
    </p>
  )
}
