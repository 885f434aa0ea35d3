import { useBootstrap } from '../bootstrap.tsx'
import { ContactLine } from '../chrome/ContactLine.tsx'
import { Button } from '../widgets/Button.tsx'
import * as s from './screens.module.css'

/** The page shown for every address that does not exist (specification, section 2.11). */
export function NotFoundScreen() {
  const { brand } = useBootstrap()
  return (
    <div className={s.screen}>
      <img src={brand.mark} alt="" width="96" height="96" />
      <h1 className={s.long}>Unfortunately we could not find what you were looking for</h1>
      <Button kind="quiet" href="/" className={s.action}>
        Back to the home page
      </Button>
      <ContactLine help={brand.help} className={s.action} />
    </div>
  )
}
