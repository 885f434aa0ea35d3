import { Button } from '#kit/web/widgets/Button.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { Schedule } from '../services.contract.ts'
import { useAutoRenew } from './auto-renew.ts'
import s from './auto-renew.module.css'

/** The button that lets a plan renew by itself; below it why that could not be, with the way to mend it. */
export function EnableAutoRenew({ schedule, onTry, onEnabled }: { schedule: Schedule; onTry: () => void; onEnabled: () => void }) {
  const enable = useAutoRenew('enable', schedule, onEnabled)
  const { isPending, isError, error } = enable
  const press = () => {
    onTry()
    void enable.mutate()
  }
  return (
    <>
      <Button kind="quiet" disabled={isPending} onClick={press}>ENABLE AUTO-RENEWAL</Button>
      <div role="alert" className={s.failure}>{isError && <FailureBanner error={error} />}</div>
    </>
  )
}
