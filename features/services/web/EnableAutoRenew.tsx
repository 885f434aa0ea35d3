import { Button } from '#kit/web/widgets/Button.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { Schedule } from '../services.contract.ts'
import { useAutoRenew } from './auto-renew.ts'
import s from './auto-renew.module.css'

/** The button that lets a plan renew by itself; below it why that could not be, with the way to mend it. */
export function EnableAutoRenew({ schedule, onEnabled }: { schedule: Schedule; onEnabled: () => void }) {
  const { mutate, isPending, isError, error } = useAutoRenew('enable', schedule, onEnabled)
  return (
    <>
      <Button kind="quiet" disabled={isPending} onClick={() => void mutate()}>ENABLE AUTO-RENEWAL</Button>
      <div role="alert" className={s.failure}>{isError && <FailureBanner error={error} />}</div>
    </>
  )
}
