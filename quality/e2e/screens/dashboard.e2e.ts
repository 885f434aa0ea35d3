import { dashboardScreens } from './dashboard.screens.ts'
import { checkScreens } from './check-screens.ts'

checkScreens('dashboard', dashboardScreens)
