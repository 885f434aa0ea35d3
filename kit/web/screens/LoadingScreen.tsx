import { useBootstrap } from '../bootstrap.tsx'
import { LongWait } from '../widgets/LongWait.tsx'
import * as s from './screens.module.css'

export function LoadingScreen() {
  const { brand } = useBootstrap()
  return (
    <div className={`${s.screen} ${s.late}`} role="status">
      <img src={brand.mark} alt="" width="96" height="96" />
      <span className="visually-hidden">Loading</span>
      <LongWait />
    </div>
  )
}
