export const TakeScreen = () => <h1>take</h1>
