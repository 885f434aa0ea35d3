import { Button } from '#kit/web/widgets/Button.tsx'
import { Tail } from '#kit/web/widgets/Tail.tsx'
import s from './confirming.module.css'

/** What stands in the form's place while the outcome of a payment is not known. */
export function Confirming({ undecided, onAgain }: { undecided: boolean; onAgain: () => void }) {
  return (
    <div className={s.confirming} role="status">
      <Tail part={undecided ? 1 : 0.6} />
      <h2>{undecided ? 'Your bank is taking longer than usual' : 'We’re confirming your payment…'}</h2>
      <p>
        {undecided
          ? 'We keep asking, and either your plan starts or your money is released. You will not be charged twice.'
          : 'This can take a minute. You can leave this page open: you will not be charged twice.'}
      </p>
      {undecided && <Button kind="quiet" onClick={onAgain}>Check again</Button>}
    </div>
  )
}
