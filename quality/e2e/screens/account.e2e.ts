import { accountScreens } from './account.screens.ts'
import { checkScreens } from './check-screens.ts'

checkScreens('account', accountScreens)
