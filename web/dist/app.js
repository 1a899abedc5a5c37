var ce,_i,Dc,un,Tl,xo,bi,_o,yi,El,Sl,vi,$r=Symbol.for("pv"),wo={},ko=[],Mc=/^m(i|n|o|s|text|space)$/,Pl=Array.isArray,xi=ko.slice,Pn=Object.assign;function En(e){
e&&e.parentNode&&e.remove()}function bo(e,t,n,r,o){var l={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:$r,__v:o||++_i,__i:-1,__u:0};return!o&&ce.vnode&&ce.
vnode(l),l}function me(e){return e.children}function yo(e,t){this.props=e,this.context=t,this.__g=0}function cn(e,t){if(t==null)return e.__&&cn(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:cn(e)}function Rc(e){var t,n=e.__v,r=n.__e,o=[],l=[],i=e.__P;
i&&((t=Pn({constructor:$r},n)).__v=n.__v+1,ce.vnode&&ce.vnode(t),Dl(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||cn(n),32&n.__u,l),t.__v=n.__v,t.__.__k[t.__i]=
t,Ei(o,t,l),n.__=n.__e=null,t.__e!=r&&wi(t))}function wi(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
wi(e)}function Cl(e){(8&e.__g||(e.__g|=8,un.push(e),xo++))&&Tl==ce.debounceRendering||((Tl=ce.debounceRendering)||queueMicrotask)(ki)}function ki(){try{for(var e,
t=1;un.length;)un.length>t&&un.sort(bi),e=un.shift(),t=un.length,8&e.__g&&Rc(e)}finally{(xo=un.length)&&(Tl||queueMicrotask)(ki)}}function Ti(e,t,n,r,o,l,i,a,p,g,_){
var f,y,h,k,D,P,M=r.__k||ko,x=t.length;for(p=Ac(n,t,M,p,x),f=0;f<x;f++)(h=n.__k[f])!=null&&(y=~h.__i&&M[h.__i]||wo,h.__i=f,P=Dl(e,h,y,o,l,i,a,p,g,_),k=h.__e,(y.
ref!=h.ref||8&y.__u)&&(y.ref&&Ml(y.ref,null,h,y),h.ref&&_.push(h.ref,h.__c||k,h)),D=D||k,4&h.__u?(p=Si(h,p,e,!y.__v),y.__e&&(y.__e=null)):typeof h.type=="functi\
on"&&P!==void 0?p=P:k&&(p=k.nextSibling),h.__u&=-21);return n.__e=D,p}function Ac(e,t,n,r,o){var l,i,a,p,g,_,f,y,h,k=n.length,D=k,P=0,M=0,x=e.__k=Array(o);for(l=
0;l<o;l++)(i=t[l])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=x[l]=bo(null,i):Pl(i)?i=x[l]=bo(me,{children:i}):
i.constructor===$r&&i.__b?i=x[l]=bo(i.type,i.props,i.key,i.ref,i.__v):x[l]=i,p=l+P,i.__=e,i.__b=e.__b+1,a=null,~(g=i.__i=Lc(i,n,p,D))&&(D--,(a=n[g])&&(a.__u|=2)),
a&&a.__v?(i.__u|=16,g==p-1?P--:g==p+1?P++:g!=p&&(g>p?P--:P++,M=1)):(~g||(o>k?P--:o<k&&P++),typeof i.type!="function"&&(i.__u|=4))):x[l]=null;if(M){for(_=[],f=[],
l=0;l<o;l++)if((i=x[l])&&16&i.__u){for(P=0,y=_.length;P<y;)_[h=P+y>>1]<i.__i?P=h+1:y=h;_[P]=i.__i,f[l]=P+1}for(P=_.length;l--;)f[l]&&(f[l]==P?P--:x[l].__u|=4)}if(D)
for(l=0;l<k;l++)!(a=n[l])||2&a.__u||(a.__e==r&&(r=cn(a)),Rl(a,a));return r}function Si(e,t,n,r){var o,l,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;
if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&(o[l].__=e,t=Si(o[l],t,n,!1));return t}for(t&&!t.parentNode&&(t=cn(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==
8;)a=a.nextSibling;for(i!=a&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function Lc(e,t,n,r){var o,l=e.key,i=e.type,a=t[n],p=a&&!(2&a.__u);if(a===null&&l==null||p&&l==a.key&&i==a.type)return n;if(r>(p?1:0)){for(o=n-1;o>=0;o--)if((a=
t[o])&&!(2&a.__u)&&l==a.key&&i==a.type)return o;for(o=n+1;o<t.length;o++)if((a=t[o])&&!(2&a.__u)&&l==a.key&&i==a.type)return o}return-1}function hi(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function ho(e,t,n,r,o){var l,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||hi(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||hi(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=Sl[t]||(Sl[t]=qc(t)),(e.__a||(e.__a={}))[t]=El,l=t!=(t=t.replace(yi,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,i,l):e.removeEventListener(t,i,l));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function qc(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[_o]==null)t[_o]=El++;else if(t[_o]<this.__a[e])return;return n(ce.event?ce.event(t):t)}}}function Dl(e,t,n,r,o,l,i,a,p,g){
var _,f,y,h,k,D,P,M,x,R,T,B,$,Y,N,Q,I,E,W=t.type;if(t.constructor!==$r)return null;128&n.__u&&(p=32&n.__u,_=n.__c.__z)&&(t.__u|=p,f=l=[],_.nodeType==8?a=vo(_,l):
l.push(_),a=l[0]||a),(_=ce.__b)&&_(t);e:if(typeof W=="function"){y=i.length;try{if(M=t.props,x=(_=W.prototype)&&_.render,R=(_=W.contextType)&&r[_.__c],T=_?R?R.props.
value:_.__:r,(h=n.__c)?(t.__c=h,2&h.__g&&(h.__g|=1)):(x?t.__c=h=new W(M,T):(t.__c=h=new yo(M,T),h.constructor=W,h.render=$c),R&&R.sub(h),h.state||(h.state={}),h.
__n=r,h.__g|=8,h.__h=[],h.__k=[]),x&&(h.__s||(h.__s=h.state),W.getDerivedStateFromProps&&(h.__s==h.state&&(h.__s=Pn({},h.__s)),Pn(h.__s,W.getDerivedStateFromProps(
M,h.__s)))),k=h.props,D=h.state,h.__v=t,n.__c){if(M!==k&&x&&!W.getDerivedStateFromProps&&h.componentWillReceiveProps&&h.componentWillReceiveProps(M,T),t.__v==n.
__v&&!(8&h.__g)||!(4&h.__g)&&h.shouldComponentUpdate&&h.shouldComponentUpdate(M,h.__s,T)===!1){t.__v!=n.__v&&(h.props=M,h.state=h.__s,h.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(L){L&&(L.__=t)}),ko.push.apply(h.__h,h.__k),h.__k=[],h.__h.length&&i.push(h),a=cn(n);break e}h.componentWillUpdate&&h.componentWillUpdate(
M,h.__s,T),x&&h.componentDidUpdate&&h.__h.push(function(){h.componentDidUpdate(k,D,P)})}else x&&!W.getDerivedStateFromProps&&h.componentWillMount&&h.componentWillMount(),
x&&h.componentDidMount&&h.__h.push(h.componentDidMount);h.context=T,h.props=M,h.__P=e,h.__g&=-5,B=ce.__r,$=x?25:0;do h.__g&=-9,B&&B(t),_=h.render(h.props,h.state=
h.__s,h.context);while(8&h.__g&&++$<25);x&&(ko.push.apply(h.__h,h.__k),h.__k=[]),h.state=h.__s,h.getChildContext&&(r=Pn({},r,h.getChildContext())),x&&n.__c&&h.getSnapshotBeforeUpdate&&
(P=h.getSnapshotBeforeUpdate(k,D)),Y=_&&_.type===me&&_.key==null?_.props.children:_,M.__P&&(_=a,o=(e=M.__P).namespaceURI,p=l=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(L){L&&Rl(L,L)}),n.__k=null),a=n.__k?cn(n,0):null),a=Ti(e,Pl(Y)?Y:[Y],t,n,r,o,l,i,a,p,g),M.__P&&(t.__e=null,a=_),t.__u&=-161,f&&f.some(En),h.__h.length&&
i.push(h),1&h.__g&&(h.__g&=-4)}catch(L){if(i.length=y,t.__v=null,p||l)if(L&&L.then){if(t.__u|=128|p,l){for(~(I=l.indexOf(a||void 0))||(I=l.length);(E=l[I-1])&&E.
nodeType==8;)I--;for(;I<l.length;I++)if(E=l[I])if(l[I]=null,N){if(E==Q)break}else{if(E.nodeType!=8)break;E.data.startsWith("$s")&&(Q=vo(N=E))}}if(!N){for(;a&&a.
nodeType==8&&a.nextSibling;)a=a.nextSibling;N=a}(_=vo(N=t.__c.__z||(t.__c.__z=N)))?(t.__e=N,a=_):t.__e=a,a=a&&a.nextSibling}else l&&l.some(En);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),L&&L.then||Ci(t),ce.__e(L,t,n)}}else a=t.__e=Oc(n.__e,t,n,r,o,l,i,p,g,e);return(_=ce.diffed)&&_(t),a}function vo(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Ci(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ci))}function Ei(e,t,n){for(var r=0;r<n.length;)Ml(n[r++],n[r++],n[r++]);ce.__c&&ce.__c(t,e),e.some(
function(o){try{e=o.__h,o.__h=[],e.some(function(l){l.call(o)})}catch(l){ce.__e(l,o.__v)}})}function Oc(e,t,n,r,o,l,i,a,p,g){var _,f,y,h,k,D,P,M,x=n.props||wo,R=t.
props,T=t.type;if(T=="svg"?o="http://www.w3.org/2000/svg":T=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),l){for(_=0;_<l.
length;_++)if((k=l[_])&&(T?k.localName==T:k.nodeType==3)){e=k,l[_]=null;break}}if(!e){if(M=g.ownerDocument||document,!T)return M.createTextNode(R);e=M.createElementNS(
o,T,R.is?R:g),a&&(ce.__m&&ce.__m(t,l),a=!1),l=null}if(T){if(g=T=="template"&&e.content||e,l=T=="textarea"&&R.defaultValue!=null?null:l&&xi.call(g.childNodes),!a&&
l)for(x={},_=0;_<e.attributes.length;_++)x[(k=e.attributes[_]).name]=k.value;for(_ in x)k=x[_],_=="dangerouslySetInnerHTML"?y=k:_=="children"||_ in R||_=="value"&&
"defaultValue"in R||_=="checked"&&"defaultChecked"in R||ho(e,_,null,k,o);for(_ in R)k=R[_],_=="children"?h=k:_=="dangerouslySetInnerHTML"?f=k:_=="value"?D=k:_==
"checked"?P=k:a&&typeof k!="function"||x[_]===k||ho(e,_,k,x[_],o);f?(a||y&&(f.__html==y.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(y&&(e.
textContent=""),(T=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&Mc.test(T))&&(o="http://www.w3.org/1999/xhtml"),Ti(g,Pl(h)?h:[h],t,n,r,o,l,i,l?l[0]:
n.__k&&cn(n,0),a,p),l&&l.some(En)),a&&T!="textarea"||(_="value",T=="progress"&&D==null?e.removeAttribute(_):D==null||D===e[_]&&(T!="progress"||D)||ho(e,_,D,x[_],
o),_="checked",P!=null&&P!=e[_]&&ho(e,_,P,x[_],o))}else x===R||a&&e.data==R||(e.data=R);return e}function Ml(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&
(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){ce.__e(o,n)}}function Rl(e,t,n){var r,o,l,i;if(ce.unmount&&ce.unmount(
e),!(r=e.ref)||r.current&&r.current!=e.__e||Ml(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){ce.__e(a,t)}r.__P=r.__n=null}
if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Rl(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=vo(r,l=[]))&&(r==e.__e&&l.some(En),En(
o),En(r)),n||En(e.__e),e.__e=e.__c=e.__=null}function $c(e,t,n){return this.constructor(e,n)}function Pi(e,t){var n,r,o,l;ce.__&&ce.__(e,t),t.nodeType==9&&(t=t.
documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=bo(me,{children:[e]}),o=[],l=[],Dl(t,t.__k,r||wo,wo,t.namespaceURI,r?null:t.firstChild?xi.call(t.childNodes):
null,o,r?r.__e:t.firstChild,n,l),Ei(o,t.__k,l),t.__k.props.children=null}function Di(e){function t(n){var r,o;return this.getChildContext||(r=new Set,(o={})[t.__c]=this,this.getChildContext=function(){return o},this.shouldComponentUpdate=
function(l){this.props.value!=l.value&&r.forEach(function(i){i.__g|=4,Cl(i)})},this.sub=function(l){r.add(l);var i=l.componentWillUnmount;l.componentWillUnmount=
function(){r.delete(l),i&&i.call(l)}}),n.children}return t.__c="__cC"+vi++,t.__=e,t.Provider=(t.Consumer=function(n,r){return n.children(r)}).contextType=t,t}ce={__e:function(e,t,n,r){for(var o,l,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(l=o.constructor)&&l.getDerivedStateFromError)&&o.setState(l.getDerivedStateFromError(
e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(a){e=a}}throw xo=0,e}},_i=0,Dc=function(e){return e!=null&&e.
constructor===$r},yo.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Pn({},this.state)),typeof e=="function"&&(e=e(Pn({},n),this.props)),
e&&(Pn(n,e),this.__v&&(t&&this.__k.push(t),Cl(this)))},yo.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Cl(this))},yo.prototype.render=
me,un=[],xo=0,bi=function(e,t){return e.__v.__b-t.__v.__b},_o=Symbol(),yi=/(PointerCapture)$|Capture$/i,El=0,Sl={},vi=0;var Dn,Re,Al,Mi,Ll=Object.is,zr=0,Gi=[],ql=[],qe=ce,Ri=qe.__b,Ai=qe.__r,Li=qe.diffed,qi=qe.__c,Oi=qe.unmount,$i=qe.__;function Gr(e,t){qe.__h&&qe.__h(Re,e,zr||t),
zr=0;var n=Re.__H||(Re.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function J(e){return zr=1,Fc(Ii,e)}function Fc(e,t,n){var r=Gr(Dn++,2);if(r.
t=e,!r.__c&&(r.__=[n?n(t):Ii(void 0,t),function(l){var i=(r.__N||r.__)[0],a=r.t(i,l);Ll(i,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=Re,!Re.__f)){Re.__f=
!0;var o=Re.shouldComponentUpdate;Re.shouldComponentUpdate=function(l,i,a){var p=this.__H;if(!p)return!0;var g=!1,_=this.props!=l;if(p.__.some(function(y){y.__N&&
(g=!0,Ll(y.__[0],y.__N[0])||(_=!0))}),o){var f=o.call(this,l,i,a);return g?f||_:f}return!g||_}}return r.__}function Se(e,t){var n=Gr(Dn++,3);!qe.__s&&Hi(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Re.__H.__h.push(n))}function At(e){return zr=5,To(function(){return{current:e}},[])}function To(e,t){var n=Gr(Dn++,7);return Hi(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ir(e,t){return zr=8,To(function(){return e},t)}function Ui(e){var t=Re.context[e.
__c],n=Gr(Dn++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Re)),t.props.value):e.__}function $l(){var e=Gr(Dn++,11);if(!e.__){for(var t=Re.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function zc(){var e;
do{for(;e=ql.shift();)try{Fr(e)}catch(n){qe.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Gi.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Fr),t.__h.some(Ol),t.__h=[]}catch(n){
t.__h=[],qe.__e(n,e.__v)}}}while(ql.length)}qe.__b=function(e){Re=null,Ri&&Ri(e)},qe.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),$i&&$i(e,t)},qe.__r=
function(e){Ai&&Ai(e),Dn=0;var t=(Re=e.__c).__H;t&&(Al==Re?Re.__h=[]:(t.__h.some(Fr),t.__h.some(Ol),Dn=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Al=Re},qe.diffed=function(e){Li&&Li(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&zi(Gi.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Al=
Re=null},qe.__c=function(e,t){t.some(function(n){try{n.__h.some(Fr),n.__h=n.__h.filter(function(r){return!r.__||Ol(r)})}catch(r){n.__h=[function(){throw r}]}}),
qi&&qi(e,t)},qe.unmount=function(e){Oi&&Oi(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,zi(ql.push(o))}else Fr(o)}catch(l){t=l}}),r.__H=void 0,t&&qe.__e(t,r.__v))};var Fi=typeof requestAnimationFrame=="function";
function Gc(e){var t,n=function(){clearTimeout(r),Fi&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Fi&&(t=requestAnimationFrame(n))}function zi(e){
e!=1&&Mi==qe.requestAnimationFrame||((Mi=qe.requestAnimationFrame)||Gc)(zc)}function Fr(e){var t=Re,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Re=t}function Ol(e){
var t=Re;e.__c=e.__(),Re=t}function Hi(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Ll(n,e[r])})}function Ii(e,t){return typeof t=="function"?
t(e):t}var Mn=class extends Error{constructor(n,r,o,l=null){super(o);this.status=n;this.code=r;this.param=l}status;code;param},So=new EventTarget;async function fn(e,t={},n){
let[r="GET"]=e.split(" ");return await Fl(r,ar(e,t),t.body,n)}function ar(e,t={},n={}){let o=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(a,p)=>encodeURIComponent(
t.path?.[p]??"")),l=new URLSearchParams;for(let[a,p]of Object.entries({...t.query,...n}))p!==void 0&&p!==""&&l.set(a,String(p));let i=l.toString();return i===""?
o:o+"?"+i}function Ni(e,t={}){return ar(e,t,{format:"csv"})}async function Fl(e,t,n,r){let o={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};r&&(o.signal=r),n!==void 0&&(o.body=JSON.stringify(n),o.headers={accept:"application/json","content-type":"application/json"});let l=await fetch(t,o).catch(
i=>{throw i instanceof DOMException&&i.name==="AbortError"?i:new Mn(0,"unreachable","Weir does not answer at this address.")});if(l.ok)return l.status===204?void 0:
l.json();throw await Uc(l)}async function Uc(e){e.status===401&&So.dispatchEvent(new Event("ended"));let t=await e.json().catch(()=>null),n=Hc(t)?t.error:null;return new Mn(
e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}function Hc(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="\
object"&&e.error!==null&&"message"in e.error}var Ic=150,Nc=6e4,zl=new EventTarget;function Wi(){zl.dispatchEvent(new Event("refresh"))}function Ae(e,t){let n=t===null?"":JSON.stringify([e,t]),[r,o]=J(null),
[l,i]=J(null),[a,p]=J(!1),[g,_]=J(null),f=At(""),y=At(null),h=ir(()=>{if(y.current?.abort(),n==="")return;let{signal:k}=y.current=new AbortController,D=setTimeout(
()=>p(!0),Ic),[,P]=JSON.parse(n);fn(e,P,k).then(M=>{f.current=n,o(M),i(null),_(new Date)}).catch(M=>{k.aborted||(f.current!==n&&o(null),i(Rn(M)))}).finally(()=>{
clearTimeout(D),k.aborted||p(!1)})},[n]);return Se(()=>{h();let k=setInterval(()=>document.hidden||h(),Nc);return zl.addEventListener("refresh",h),()=>{y.current?.
abort(),clearInterval(k),zl.removeEventListener("refresh",h)}},[h]),{data:r,error:l,loading:a,at:g,reload:h}}function Rn(e){return e instanceof Mn?e:new Mn(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Gl=Di(null);function fe(){let e=Ui(Gl);if(!e)throw new Error("no session");return e}function Ul(){return fn("GET /admin/v1/session")}function Vi(e){return fn("POST /admin/v1/session",{body:{token:e}})}async function Ki(){await fn("DELETE /admin\
/v1/session")}var Wc=1000000000n;function kt(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let r=n<
0n?"−":"",o=n<0n?-n:n,l=o===0n?t:Math.max(t,Vc(o)),i=10n**BigInt(9-l),a=(o+i/2n)/i,p=10n**BigInt(l),g=l===0?"":"."+(a%p).toString().padStart(l,"0");return`${r}\
$${ji(a/p)}${g}`}function Vc(e){return e>=Wc/100n?0:Math.min(9,9-e.toString().length+2)}function st(e){if(Math.round(e)===0)return"$0.00";let t=kt(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function Co(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+An(t):kt(e,t!==0&&Math.abs(t)<10?2:0)}
function ji(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function Ce(e){return ji(BigInt(Math.round(e))).replace("-","−")}function An(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let r=e/(n==="k"?1e3:t);return`${Bi(r)} ${n}`}return Ce(e)}function Bi(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function Ln(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function Ur(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${Bi(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function it(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function Yi(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function Tt(e,t,n=t+"s"){return`${Ce(e)} ${e===1?t:n}`}var Zi=new Map;function Hr(e,t,n){let r=e+t,o=Zi.get(r);return o||Zi.set(r,o=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),o}function Il(e,t){
return Hr(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function dn(e,t){return Hr(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Eo(e,t){return Hr(t,"day",{day:"numeric",month:"short"}).format(e)}function Ji(e,t){return`${Eo(e,t)} ${Il(e,t)}`}function ur(e,t){return Hr(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function Xi(e,t=new Date){return`${e.toISOString()}, ${Kc(
t.getTime()-e.getTime())} ago`}function Kc(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],r=n.findIndex(([o])=>t>=o);return r<
0?"0 s":n.slice(r,r+2).map(([o,l],i)=>[Math.floor((i===0?t:t%(n[r]?.[0]??1))/o),l]).filter(([o])=>o>0).map(([o,l])=>`${o} ${l}`).join(" ")}function Hl(e,t){let n=Object.
fromEntries(Hr(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(o=>[o.type,Number(
o.value)]));return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function pn(e,t){let n=Date.parse(e.length===10?e+"T0\
0:00Z":e+"Z"),r=n-Hl(n,t);return new Date(n-Hl(r,t))}function qn(e,t){return new Date(e.getTime()+Hl(e.getTime(),t)).toISOString().slice(0,16)}function Jt(e){return{
since:e.get("since")??"7d",until:e.get("until")??""}}function Ir(e,t=new Date){let n=qn(t,e).slice(0,10),r=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",
until:""},{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 day\
s",since:"90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:r,until:""},{label:"Last month",since:jc(r),until:r}]}function jc(e){let t=new Date(
e+"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var Bc={m:6e4,h:36e5,d:864e5,w:7*864e5};function Nr(e,t,n=new Date){return{from:Qi(
e.since,t,n),to:e.until===""?n:Qi(e.until,t,n)}}function Qi(e,t,n){let r=/^(\d+)([mhdw])$/.exec(e);return r?new Date(n.getTime()-Number(r[1])*(Bc[r[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?pn(e,t):new Date(e)}function Po(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:r,to:o}=Nr(e,t,n);return{since:new Date(
2*r.getTime()-o.getTime()).toISOString(),until:r.toISOString()}}function Wr(e,t){let{from:n,to:r}=Nr(e,t),o=(r.getTime()-n.getTime())/864e5;return o<=8?"hour":o<=
400?"day":"month"}function cr(e,t){let n=Ir(t).find(l=>l.since===e.since&&l.until===e.until);if(n)return n.label;let{from:r,to:o}=Nr(e,t);return`${ur(r,t)} – ${e.
until===""?"now":ur(o,t)}`}var fr="other",Nl=new Map;function ea(e){let t=new Set;for(let n of e){let r=Nl.get(n);r!==void 0&&t.add(r)}return e.map(n=>Yc(n,t))}function Yc(e,t){if(e===fr)
return 8;let n=Nl.get(e);if(n!==void 0)return n;let r=Zc(e)%7;for(let o=0;o<7&&t.has(r+1);o++)r=(r+1)%7;return t.add(r+1),Nl.set(e,r+1),r+1}function Zc(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function dr(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var Qc=7;function Jc(e,t){return e.hour!==void 0?new Date(e.hour):pn(e.day??(e.month??"1970-01")+"-01",t)}function Vr(e,t,n,r){let o=[];for(let l=Xc(e,n,r);l<t&&
o.length<5e3;l=ef(l,n,r))o.push(l);return o}function Xc(e,t,n){if(t==="hour")return e;let r=qn(e,n).slice(0,10);return pn(t==="day"?r:r.slice(0,8)+"01",n)}function ef(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[r=0,o=1,l=1]=qn(e,n).slice(0,10).split("-").map(Number),i=t==="day"?new Date(Date.UTC(r,o-1,l+1)):new Date(Date.
UTC(r,o,1));return pn(i.toISOString().slice(0,10),n)}function On(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Do({rows:e,xs:t,zone:n,
group:r,value:o}){let l=new Map;for(let g of e)l.set(r(g),(l.get(r(g))??0)+o(g));let i=[...l].filter(([g,_])=>_>0&&g!==fr).toSorted((g,_)=>_[1]-g[1]).slice(0,Qc).
map(([g])=>g),a=new Map(i.map(g=>[g,{name:g,values:t.map(()=>0)}])),p=new Map(t.map((g,_)=>[g.getTime(),_]));for(let g of e){let _=a.has(r(g))?r(g):fr;if(o(g)===
0)continue;let f=a.get(_);f||a.set(_,f={name:_,values:t.map(()=>0)});let y=p.get(Jc(g,n).getTime());y!==void 0&&(f.values[y]=(f.values[y]??0)+o(g))}return[...a.
values()]}function ta(e,t,n){let r=new Map(e.map(o=>[new Date(o.at??0).getTime(),o[n]]));return[["p50",1],["p95",6],["p99",8]].map(([o,l])=>({name:o,slot:l,values:t.
map(i=>r.get(i.getTime())?.[`${o}_us`]??null)}))}var tf=["since","until","team"],Wl=new Set;function Kr(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function pt(){let[e,t]=J(Kr);
return Se(()=>{let n=()=>t(Kr());return Wl.add(n),addEventListener("popstate",n),()=>{Wl.delete(n),removeEventListener("popstate",n)}},[]),e}function Mo(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Wl.forEach(r=>r())}function Pe(e,t=!1){
let{path:n,params:r}=Kr();Mo(n+Kl(Vl(r,e)),t)}function na(e){let{path:t,params:n}=Kr();return t+Kl(Vl(n,e))}function Ye(e,t={}){let n=new URLSearchParams;for(let r of tf){
let o=Kr().params.get(r);o!==null&&n.set(r,o)}return e+Kl(Vl(n,t))}function Vl(e,t){for(let[n,r]of Object.entries(t))r===null||r===""?e.delete(n):e.set(n,r);return e}
function Kl(e){let t=e.toString();return t===""?"":"?"+t}function ra(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e.includes(n.pathname)&&(t.preventDefault(),Mo(n.pathname+n.search))})}var nf=Symbol.for("pv"),rf=0;function u(e,t,n,r,o,l){t||(t={});var i,a,p=t;if("ref"in p&&typeof e!="function")for(a in p={},t)a=="ref"?i=t[a]:p[a]=t[a];var g={type:e,props:p,key:n,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:nf,__v:--rf,__i:-1,__u:0};return(o||l)&&(g.__source=o,g.__self=l),ce.vnode&&ce.vnode(g),g}function pr({text:e,label:t="Copy"}){let[n,r]=J("");return Se(()=>{let l=setTimeout(()=>r(""),1500);return()=>clearTimeout(l)},[n]),u("button",{type:"button",class:"\
quiet",onClick:()=>{navigator.clipboard.writeText(e).then(()=>r("Copied"),()=>r("Not allowed"))},children:[n||t,u("span",{class:"unseen",role:"status",children:n})]})}
function Lt({route:e,asked:t,command:n,list:r}){return u(me,{children:[n&&u(pr,{text:n,label:"Copy command"}),u(pr,{text:of(e,t),label:"Copy curl"}),r&&u("a",{class:"\
button quiet",href:Ni(e,t),download:"",children:"CSV"})]})}function of(e,t){return`curl -s ${Xt(location.origin+ar(e,t))} -H "Authorization: Bearer $(cat weir-d\
ata/admin.token)"`}function Xt(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function mn({label:e,hint:t,wrong:n,value:r,onInput:o,list:l,type:i="text",...a}){let p=$l(),g={type:i,list:l&&p+"-list","aria-invalid":n?!0:void 0,"aria-descri\
bedby":t||n?p+"-about":void 0,...a};return u("div",{class:"field",children:[u("label",{for:p,children:e}),u("input",{id:p,value:r,onInput:_=>o(_.currentTarget.value),
autocomplete:"off",spellcheck:!1,...g}),l&&u("datalist",{id:p+"-list",children:l.map(_=>u("option",{value:_},_))}),u(oa,{id:p,hint:t,wrong:n})]})}function Kt({label:e,
hint:t,wrong:n,value:r,options:o,onChange:l,bare:i}){let a=$l();return u("div",{class:"field",children:[u("label",{for:a,class:i?"unseen":void 0,children:e}),u(
"select",{id:a,value:r,onChange:p=>l(p.currentTarget.value),children:o.map(p=>u("option",{value:p.value,selected:p.value===r,children:p.label},p.value))}),u(oa,
{id:a,hint:t,wrong:n})]})}function oa({id:e,hint:t,wrong:n}){return!t&&!n?null:u("span",{id:e+"-about",class:n?"wrong":"muted small",children:n??t})}function jl({
label:e,checked:t,onChange:n}){return u("label",{class:"check",children:[u("input",{type:"checkbox",checked:t,onChange:r=>n(r.currentTarget.checked)}),e]})}function Ro({
label:e,value:t,options:n,onChange:r}){return u("div",{class:"segments",role:"group","aria-label":e,children:n.map(o=>u("button",{type:"button","aria-pressed":o.
value===t,onClick:()=>r(o.value),children:o.label},o.value))})}var Bl="custom";function la(){let{zone:e}=fe(),t=Jt(pt().params),[n,r]=J(!1),o=Ir(e).find(a=>a.since===t.since&&a.until===t.until),l=Ir(e).map(a=>({value:a.label,
label:a.label}));o||l.push({value:"",label:cr(t,e)}),l.push({value:Bl,label:"From … to …"});let i=a=>{let p=Ir(e).find(g=>g.label===a);r(a===Bl),p&&Pe({since:p.
since,until:p.until})};return u(me,{children:[u(Kt,{bare:!0,label:"Period",value:n?Bl:o?.label??"",options:l,onChange:i}),n&&u(lf,{onDone:()=>r(!1)})]})}function lf({
onDone:e}){let{zone:t}=fe(),{from:n,to:r}=Nr(Jt(pt().params),t),[o,l]=J(qn(n,t)),[i,a]=J(qn(r,t)),p=i<=o?"It ends before it begins.":null;return u("form",{class:"\
filters",onSubmit:_=>{_.preventDefault(),!p&&(Pe({since:pn(o,t).toISOString(),until:pn(i,t).toISOString()}),e())},children:[u(mn,{label:`From, ${t}`,type:"datet\
ime-local",value:o,onInput:l,required:!0}),u(mn,{label:"To",type:"datetime-local",value:i,onInput:a,required:!0,wrong:p}),u("button",{class:"primary",disabled:p!==
null,children:"Show"})]})}function sa(){let e=pt().params.get("team")??"",n=(Ae("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(r=>({value:r.name,
label:r.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(r=>r.value===e)&&n.push({value:e,label:e}),u(Kt,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:r=>Pe({team:r})}))}function mr({title:e,period:t,team:n,of:r,tools:o,children:l}){return Se(()=>{document.title=`${e} · Weir`},[e]),u(me,{children:[u("div",{class:"head",children:[
u("h1",{children:e}),u("div",{class:"tools",children:[o,n&&u(sa,{}),t&&u(la,{}),r&&u(sf,{of:r})]})]}),l]})}function sf({of:e}){let{zone:t}=fe();return u("button",
{class:"quiet",title:"Fetch it again",onClick:Wi,children:e.at?`as of ${Il(e.at,t)}`:"…"})}var Yl="weir-scheme",ia=["light","dark","system"];function Ao(){try{let e=localStorage.getItem(Yl);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function aa(e){try{e==="system"?localStorage.removeItem(Yl):localStorage.setItem(Yl,e)}catch{}jr(e)}function jr(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,Br.dispatchEvent(new Event("scheme"))}var Br=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>Br.dispatchEvent(new Event("scheme")));var af="uplot",uf="u-hz",cf="u-vt",ff="u-title",df="u-wrap",pf="u-under",mf="u-over",gf="u-axis",zn="u-off",hf="u-select",_f="u-cursor-x",bf="u-cursor-y",yf="u-\
cursor-pt",vf="u-legend",xf="u-live",wf="u-inline",kf="u-series",Tf="u-marker",ua="u-label",Sf="u-value",Zr="width",Qr="height";var ca="bottom",gr="left",Zl="right",ps="#000",fa=ps+"0",Ql="mousemove",da="mousedown",Jl="mouseup",pa="mouseenter",ma="mouseleave",ga="dblclick",Cf="resize",Ef="\
scroll",ha="change",Fo="dppxchange",ms="--",wr=typeof window<"u",rs=wr?document:null,_r=wr?window:null,Pf=wr?navigator:null,ie,Lo;function os(){let e=devicePixelRatio;
ie!=e&&(ie=e,Lo&&ss(ha,Lo,os),Lo=matchMedia(`(min-resolution: ${ie-.001}dppx) and (max-resolution: ${ie+.001}dppx)`),Gn(ha,Lo,os),_r.dispatchEvent(new CustomEvent(
Fo)))}function mt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function ls(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function xe(e,t,n){
e.style[t]=n+"px"}function qt(e,t,n,r){let o=rs.createElement(e);return t!=null&&mt(o,t),n?.insertBefore(o,r),o}function St(e,t){return qt("div",e,t)}var _a=new WeakMap;
function jt(e,t,n,r,o){let l="translate("+t+"px,"+n+"px)",i=_a.get(e);l!=i&&(e.style.transform=l,_a.set(e,l),t<0||n<0||t>r||n>o?mt(e,zn):ls(e,zn))}var ba=new WeakMap;
function ya(e,t,n){let r=t+n,o=ba.get(e);r!=o&&(ba.set(e,r),e.style.background=t,e.style.borderColor=n)}var va=new WeakMap;function xa(e,t,n,r){let o=t+""+n,l=va.
get(e);o!=l&&(va.set(e,o),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=r?-t/2+"px":0,e.style.marginTop=r?-n/2+"px":0)}var gs={passive:!0},Df={...gs,
capture:!0};function Gn(e,t,n,r){t.addEventListener(e,n,r?Df:gs)}function ss(e,t,n,r){t.removeEventListener(e,n,gs)}wr&&os();function Ot(e,t,n,r){let o;n=n||0,r=
r||t.length-1;let l=r<=2147483647;for(;r-n>1;)o=l?n+r>>1:gt((n+r)/2),t[o]<e?n=o:r=o;return e-t[n]<=t[r]-e?n:r}function Ya(e){return(n,r,o)=>{let l=-1,i=-1;for(let a=r;a<=
o;a++)if(e(n[a])){l=a;break}for(let a=o;a>=r;a--)if(e(n[a])){i=a;break}return[l,i]}}var Za=e=>e!=null,Qa=e=>e!=null&&e>0,Uo=Ya(Za),Mf=Ya(Qa);function Rf(e,t,n,r=0,o=!1){
let l=o?Mf:Uo,i=o?Qa:Za;[t,n]=l(e,t,n);let a=e[t],p=e[t];if(t>-1)if(r==1)a=e[t],p=e[n];else if(r==-1)a=e[n],p=e[t];else for(let g=t;g<=n;g++){let _=e[g];i(_)&&(_<
a?a=_:_>p&&(p=_))}return[a??ge,p??-ge]}function Ho(e,t,n,r){let o=Ta(e),l=Ta(t);e==t&&(o==-1?(e*=n,t/=n):(e/=n,t*=n));let i=n==10?en:Ja,a=o==1?gt:Ct,p=l==1?Ct:gt,
g=a(i(Ge(e))),_=p(i(Ge(t))),f=br(n,g),y=br(n,_);return n==10&&(g<0&&(f=he(f,-g)),_<0&&(y=he(y,-_))),r||n==2?(e=f*o,t=y*l):(e=nu(e,f),t=Io(t,y)),[e,t]}function hs(e,t,n,r){
let o=Ho(e,t,n,r);return e==0&&(o[0]=0),t==0&&(o[1]=0),o}var _s=.1,wa={mode:3,pad:_s},Xr={pad:0,soft:null,mode:0},Af={min:Xr,max:Xr};function zo(e,t,n,r){return No(
n)?ka(e,t,n):(Xr.pad=n,Xr.soft=r?0:null,Xr.mode=r?3:0,ka(e,t,Af))}function le(e,t){return e??t}function Lf(e,t,n){for(t=le(t,0),n=le(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function ka(e,t,n){let r=n.min,o=n.max,l=le(r.pad,0),i=le(o.pad,0),a=le(r.hard,-ge),p=le(o.hard,ge),g=le(r.soft,ge),_=le(o.soft,-ge),
f=le(r.mode,0),y=le(o.mode,0),h=t-e,k=en(h),D=nt(Ge(e),Ge(t)),P=en(D),M=Ge(P-k);(h<1e-24||M>10)&&(h=0,(e==0||t==0)&&(h=1e-24,f==2&&g!=ge&&(l=0),y==2&&_!=-ge&&(i=
0)));let x=h||D||1e3,R=en(x),T=br(10,gt(R)),B=x*(h==0?e==0?.1:1:l),$=he(nu(e-B,T/10),24),Y=e>=g&&(f==1||f==3&&$<=g||f==2&&$>=g)?g:ge,N=nt(a,$<Y&&e>=Y?Y:$t(Y,$)),
Q=x*(h==0?t==0?.1:1:i),I=he(Io(t+Q,T/10),24),E=t<=_&&(y==1||y==3&&I>=_||y==2&&I<=_)?_:-ge,W=$t(p,I>E&&t<=E?E:nt(E,I));return N==W&&N==0&&(W=100),[N,W]}var qf=new Intl.
NumberFormat(wr?Pf.language:"en-US"),bs=e=>qf.format(e),ht=Math,$o=ht.PI,Ge=ht.abs,gt=ht.floor,ze=ht.round,Ct=ht.ceil,$t=ht.min,nt=ht.max,br=ht.pow,Ta=ht.sign,en=ht.
log10,Ja=ht.log2,Of=(e,t=1)=>ht.sinh(e)*t,Xl=(e,t=1)=>ht.asinh(e/t),ge=1/0;function Sa(e){return(en((e^e>>31)-(e>>31))|0)+1}function is(e,t,n){return $t(nt(e,t),
n)}function Xa(e){return typeof e=="function"}function te(e){return Xa(e)?e:()=>e}var $f=()=>{},eu=e=>e,tu=(e,t)=>t,Ff=e=>null,Ca=e=>!0,Ea=(e,t)=>e==t,zf=/\.\d*?(?=9{6,}|0{6,})/gm,
Un=e=>{if(ou(e)||hn.has(e))return e;let t=`${e}`,n=t.match(zf);if(n==null)return e;let r=n[0].length-1;if(t.indexOf("e-")!=-1){let[o,l]=t.split("e");return+`${Un(
o)}e${l}`}return he(e,r)};function $n(e,t){return Un(he(Un(e/t))*t)}function Io(e,t){return Un(Ct(Un(e/t))*t)}function nu(e,t){return Un(gt(Un(e/t))*t)}function he(e,t=0){
if(ou(e))return e;let n=10**t,r=e*n*(1+Number.EPSILON);return ze(r)/n}var hn=new Map;function ru(e){return((""+e).split(".")[1]||"").length}function to(e,t,n,r){
let o=[],l=r.map(ru);for(let i=t;i<n;i++){let a=Ge(i),p=he(br(e,i),a);for(let g=0;g<r.length;g++){let _=e==10?+`${r[g]}e${i}`:r[g]*p,f=(i>=0?0:a)+(i>=l[g]?0:l[g]),
y=e==10?_:he(_,f);o.push(y),hn.set(y,f)}}return o}var eo={},ys=[],yr=[null,null],gn=Array.isArray,ou=Number.isInteger,Gf=e=>e===void 0;function Pa(e){return typeof e==
"string"}function No(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Uf(e){return e!=null&&typeof e=="object"}var Hf=Object.getPrototypeOf(
Uint8Array),lu="__proto__";function vr(e,t=No){let n;if(gn(e)){let r=e.find(o=>o!=null);if(gn(r)||t(r)){n=Array(e.length);for(let o=0;o<e.length;o++)n[o]=vr(e[o],
t)}else n=e.slice()}else if(e instanceof Hf)n=e.slice();else if(t(e)){n={};for(let r in e)r!=lu&&(n[r]=vr(e[r],t))}else n=e;return n}function Oe(e){let t=arguments;
for(let n=1;n<t.length;n++){let r=t[n];for(let o in r)o!=lu&&(No(e[o])?Oe(e[o],vr(r[o])):e[o]=vr(r[o]))}return e}var If=0,Nf=1,Wf=2;function Vf(e,t,n){for(let r=0,
o,l=-1;r<t.length;r++){let i=t[r];if(i>l){for(o=i-1;o>=0&&e[o]==null;)e[o--]=null;for(o=i+1;o<n&&e[o]==null;)e[l=o++]=null}}}function Kf(e,t){if(Yf(e)){let i=e[0].
slice();for(let a=1;a<e.length;a++)i.push(...e[a].slice(1));return Zf(i[0])||(i=Bf(i)),i}let n=new Set;for(let i=0;i<e.length;i++){let p=e[i][0],g=p.length;for(let _=0;_<
g;_++)n.add(p[_])}let r=[Array.from(n).sort((i,a)=>i-a)],o=r[0].length,l=new Map;for(let i=0;i<o;i++)l.set(r[0][i],i);for(let i=0;i<e.length;i++){let a=e[i],p=a[0];
for(let g=1;g<a.length;g++){let _=a[g],f=Array(o).fill(void 0),y=t?t[i][g]:Nf,h=[];for(let k=0;k<_.length;k++){let D=_[k],P=l.get(p[k]);D===null?y!=If&&(f[P]=D,
y==Wf&&h.push(P)):f[P]=D}Vf(f,h,o),r.push(f)}}return r}var jf=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Bf(e){let t=e[0],n=t.
length,r=Array(n);for(let l=0;l<r.length;l++)r[l]=l;r.sort((l,i)=>t[l]-t[i]);let o=[];for(let l=0;l<e.length;l++){let i=e[l],a=Array(n);for(let p=0;p<n;p++)a[p]=
i[r[p]];o.push(a)}return o}function Yf(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let o=e[r][0];if(o.length!=n)return!1;if(o!=t){for(let l=0;l<n;l++)
if(o[l]!=t[l])return!1}}return!0}function Zf(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,o=n-1;for(;r<=o&&e[r]==null;)r++;for(;o>=r&&e[o]==null;)o--;if(o<=
r)return!0;let l=nt(1,gt((o-r+1)/t));for(let i=e[r],a=r+l;a<=o;a+=l){let p=e[a];if(p!=null){if(p<=i)return!1;i=p}}return!0}var su=["January","February","March",
"April","May","June","July","August","September","October","November","December"],iu=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function au(e){
return e.slice(0,3)}var Qf=iu.map(au),Jf=su.map(au),Xf={MMMM:su,MMM:Jf,WWWW:iu,WWW:Qf};function Yr(e){return(e<10?"0":"")+e}function ed(e){return(e<10?"00":e<100?
"0":"")+e}var td={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Yr(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>Yr(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Yr(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Yr(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>Yr(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>ed(e.getMilliseconds())};function vs(e,t){t=t||Xf;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,
o;for(;o=r.exec(e);)n.push(o[0][0]=="{"?td[o[1]]:o[0]);return l=>{let i="";for(let a=0;a<n.length;a++)i+=typeof n[a]=="string"?n[a]:n[a](l,t);return i}}var nd=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function rd(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==nd?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var uu=e=>e%1==0,Go=[1,2,2.5,5],od=to(10,-32,0,Go),cu=to(10,0,32,Go),ld=cu.filter(
uu),Fn=od.concat(cu),xs=`
`,fu="{YYYY}",Da=xs+fu,du="{M}/{D}",Jr=xs+du,qo=Jr+"/{YY}",pu="{aa}",sd="{h}:{mm}",hr=sd+pu,Ma=xs+hr,Ra=":{ss}",ue=null;function mu(e){let t=e*1e3,n=t*60,r=n*60,
o=r*24,l=o*30,i=o*365,p=(e==1?to(10,0,3,Go).filter(uu):to(10,-3,0,Go)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,o,o*2,o*3,o*
4,o*5,o*6,o*7,o*8,o*9,o*10,o*15,l,l*2,l*3,l*4,l*6,i,i*2,i*5,i*10,i*25,i*50,i*100]),g=[[i,fu,ue,ue,ue,ue,ue,ue,1],[o*28,"{MMM}",Da,ue,ue,ue,ue,ue,1],[o,du,Da,ue,
ue,ue,ue,ue,1],[r,"{h}"+pu,qo,ue,Jr,ue,ue,ue,1],[n,hr,qo,ue,Jr,ue,ue,ue,1],[t,Ra,qo+" "+hr,ue,Jr+" "+hr,ue,Ma,ue,1],[e,Ra+".{fff}",qo+" "+hr,ue,Jr+" "+hr,ue,Ma,
ue,1]];function _(f){return(y,h,k,D,P,M)=>{let x=[],R=P>=i,T=P>=l&&P<i,B=f(k),$=he(B*e,3),Y=es(B.getFullYear(),R?0:B.getMonth(),T||R?1:B.getDate()),N=he(Y*e,3);
if(T||R){let Q=T?P/l:0,I=R?P/i:0,E=$==N?$:he(es(Y.getFullYear()+I,Y.getMonth()+Q,1)*e,3),W=new Date(ze(E/e)),L=W.getFullYear(),K=W.getMonth();for(let H=0;E<=D;H++){
let ne=es(L+I*H,K+Q*H,1),U=ne-f(he(ne*e,3));E=he((+ne+U)*e,3),E<=D&&x.push(E)}}else{let Q=P>=o?o:P,I=gt(k)-gt($),E=N+I+Io($-N,Q);x.push(E);let W=f(E),L=W.getHours()+
W.getMinutes()/n+W.getSeconds()/r,K=P/r,H=y.axes[h]._space,ne=M/H;for(;E=he(E+P,e==1?0:3),!(E>D);)if(K>1){let U=gt(he(L+K,6))%24,re=f(E).getHours()-U;re>1&&(re=
-1),E-=re*r,L=(L+K)%24;let de=x[x.length-1];he((E-de)/P,3)*ne>=.7&&x.push(E)}else x.push(E)}return x}}return[p,g,_]}var[id,ad,ud]=mu(1),[cd,fd,dd]=mu(.001);to(2,
-53,53,[1]);function Aa(e,t){return e.map(n=>n.map((r,o)=>o==0||o==8||r==null?r:t(o==1||n[8]==0?r:n[1]+r)))}function La(e,t){return(n,r,o,l,i)=>{let a=t.find(k=>i>=
k[0])||t[t.length-1],p,g,_,f,y,h;return r.map(k=>{let D=e(k),P=D.getFullYear(),M=D.getMonth(),x=D.getDate(),R=D.getHours(),T=D.getMinutes(),B=D.getSeconds(),$=P!=
p&&a[2]||M!=g&&a[3]||x!=_&&a[4]||R!=f&&a[5]||T!=y&&a[6]||B!=h&&a[7]||a[1];return p=P,g=M,_=x,f=R,y=T,h=B,$(D)})}}function pd(e,t){let n=vs(t);return(r,o,l,i,a)=>o.
map(p=>n(e(p)))}function es(e,t,n){return new Date(e,t,n)}function qa(e,t){return t(e)}var md="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Oa(e,t){return(n,r,o,l)=>l==
null?ms:t(e(r))}function gd(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function hd(e,t){return e.series[t].fill(
e,t)}var _d={show:!0,live:!0,isolate:!1,mount:$f,markers:{show:!0,width:2,stroke:gd,fill:hd,dash:"solid"},idx:null,idxs:null,values:[]};function bd(e,t){let n=e.
cursor.points,r=St(),o=n.size(e,t);xe(r,Zr,o),xe(r,Qr,o);let l=o/-2;xe(r,"marginLeft",l),xe(r,"marginTop",l);let i=n.width(e,t,o);return i&&xe(r,"borderWidth",i),
r}function yd(e,t){let n=e.series[t].points;return n._fill||n._stroke}function vd(e,t){let n=e.series[t].points;return n._stroke||n._fill}function xd(e,t){return e.
series[t].points.size}var ts=[0,0];function wd(e,t,n){return ts[0]=t,ts[1]=n,ts}function Oo(e,t,n,r=!0){return o=>{o.button==0&&(!r||o.target==t)&&n(o)}}function ns(e,t,n,r=!0){
return o=>{(!r||o.target==t)&&n(o)}}var kd={show:!0,x:!0,y:!0,lock:!1,move:wd,points:{one:!1,show:bd,size:xd,width:0,stroke:vd,fill:yd},bind:{mousedown:Oo,mouseup:Oo,
click:Oo,dblclick:Oo,mousemove:ns,mouseleave:ns,mouseenter:ns},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,r,o)=>r-o,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},gu={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},ws=Oe({},gu,{filter:tu}),hu=Oe({},ws,{size:10}),_u=Oe({},gu,{show:!1}),ks='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',bu="bold "+ks,yu=1.5,$a={
show:!0,scale:"x",stroke:ps,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:bu,side:2,grid:ws,ticks:hu,border:_u,font:ks,lineGap:yu,rotate:0},
Td="Value",Sd="Time",Fa={show:!0,scale:"x",auto:!1,sorted:1,min:ge,max:-ge,idxs:[]};function Cd(e,t,n,r,o){return t.map(l=>l==null?"":bs(l))}function Ed(e,t,n,r,o,l,i){
let a=[],p=hn.get(o)||0;n=i?n:he(Io(n,o),p);for(let g=n;g<=r;g=he(g+o,p))a.push(Object.is(g,-0)?0:g);return a}function as(e,t,n,r,o,l,i){let a=[],p=e.scales[e.axes[t].
scale].log,g=p==10?en:Ja,_=gt(g(n));o=br(p,_),p==10&&(o=Fn[Ot(o,Fn)]);let f=n,y=o*p;p==10&&(y=Fn[Ot(y,Fn)]);do a.push(f),f=f+o,p==10&&!hn.has(f)&&(f=he(f,hn.get(
o))),f>=y&&(o=f,y=o*p,p==10&&(y=Fn[Ot(y,Fn)]));while(f<=r);return a}function Pd(e,t,n,r,o,l,i){let p=e.scales[e.axes[t].scale].asinh,g=r>p?as(e,t,nt(p,n),r,o):[
p],_=r>=0&&n<=0?[0]:[];return(n<-p?as(e,t,nt(p,-r),-n,o):[p]).reverse().map(y=>-y).concat(_,g)}var vu=/./,Dd=/[12357]/,Md=/[125]/,za=/1/,us=(e,t,n,r)=>e.map((o,l)=>t==
4&&o==0||l%r==0&&n.test(o.toExponential()[o<0?1:0])?o:null);function Rd(e,t,n,r,o){let l=e.axes[n],i=l.scale,a=e.scales[i],p=e.valToPos,g=l._space,_=p(10,i),f=p(
9,i)-_>=g?vu:p(7,i)-_>=g?Dd:p(5,i)-_>=g?Md:za;if(f==za){let y=Ge(p(1,i)-_);if(y<g)return us(t.slice().reverse(),a.distr,f,Ct(g/y)).reverse()}return us(t,a.distr,
f,1)}function Ad(e,t,n,r,o){let l=e.axes[n],i=l.scale,a=l._space,p=e.valToPos,g=Ge(p(1,i)-p(2,i));return g<a?us(t.slice().reverse(),3,vu,Ct(a/g)).reverse():t}function Ld(e,t,n,r){
return r==null?ms:t==null?"":bs(t)}var Ga={show:!0,scale:"y",stroke:ps,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:bu,side:3,grid:ws,ticks:hu,
border:_u,font:ks,lineGap:yu,rotate:0};function qd(e,t){let n=3+(e||1)*2;return he(n*t,3)}function Od(e,t){let{scale:n,idxs:r}=e.series[0],o=e._data[0],l=e.valToPos(
o[r[0]],n,!0),i=e.valToPos(o[r[1]],n,!0),a=Ge(i-l),p=e.series[t],g=a/(p.points.space*ie);return r[1]-r[0]<=g}var Ua={scale:null,auto:!0,sorted:0,min:ge,max:-ge},
xu=(e,t,n,r,o)=>o,Ha={show:!0,auto:!0,sorted:0,gaps:xu,alpha:1,facets:[Oe({},Ua,{scale:"x"}),Oe({},Ua,{scale:"y"})]},Ia={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:xu,alpha:1,points:{show:Od,filter:null},values:null,min:ge,max:-ge,idxs:[],path:null,clip:null};function $d(e,t,n,r,o){return n/10}var wu={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Fd=Oe({},wu,{time:!1,ori:1}),Na={};function ku(e,t){let n=Na[e];return n||(n={key:e,plots:[],sub(r){n.plots.
push(r)},unsub(r){n.plots=n.plots.filter(o=>o!=r)},pub(r,o,l,i,a,p,g){for(let _=0;_<n.plots.length;_++)n.plots[_]!=o&&n.plots[_].pub(r,o,l,i,a,p,g)}},e!=null&&(Na[e]=
n)),n}var xr=1,cs=2;function Hn(e,t,n){let r=e.mode,o=e.series[t],l=r==2?e._data[t]:e._data,i=e.scales,a=e.bbox,p=l[0],g=r==2?l[1]:l[t],_=r==2?i[o.facets[0].scale]:
i[e.series[0].scale],f=r==2?i[o.facets[1].scale]:i[o.scale],y=a.left,h=a.top,k=a.width,D=a.height,P=e.valToPosH,M=e.valToPosV;return _.ori==0?n(o,p,g,_,f,P,M,y,
h,k,D,Vo,kr,jo,Su,Eu):n(o,p,g,_,f,M,P,h,y,D,k,Ko,Tr,Cs,Cu,Pu)}function Ts(e,t){let n=0,r=0,o=le(e.bands,ys);for(let l=0;l<o.length;l++){let i=o[l];i.series[0]==
t?n=i.dir:i.series[1]==t&&(i.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function zd(e,t,n,r,o){let l=e.mode,i=e.series[t],a=l==2?i.facets[1].scale:i.scale,
p=e.scales[a];return o==-1?p.min:o==1?p.max:p.distr==3?p.dir==1?p.min:p.max:0}function tn(e,t,n,r,o,l){return Hn(e,t,(i,a,p,g,_,f,y,h,k,D,P)=>{let M=i.pxRound,x=g.
dir*(g.ori==0?1:-1),R=g.ori==0?kr:Tr,T,B;x==1?(T=n,B=r):(T=r,B=n);let $=M(f(a[T],g,D,h)),Y=M(y(p[T],_,P,k)),N=M(f(a[B],g,D,h)),Q=M(y(l==1?_.max:_.min,_,P,k)),I=new Path2D(
o);return R(I,N,Q),R(I,$,Q),R(I,$,Y),I})}function Wo(e,t,n,r,o,l){let i=null;if(e.length>0){i=new Path2D;let a=t==0?jo:Cs,p=n;for(let f=0;f<e.length;f++){let y=e[f];
if(y[1]>y[0]){let h=y[0]-p;h>0&&a(i,p,r,h,r+l),p=y[1]}}let g=n+o-p,_=10;g>0&&a(i,p,r-_/2,g,r+l+_)}return i}function Gd(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=
n:e.push([t,n])}function Ss(e,t,n,r,o,l,i){let a=[],p=e.length;for(let g=o==1?n:r;g>=n&&g<=r;g+=o)if(t[g]===null){let f=g,y=g;if(o==1)for(;++g<=r&&t[g]===null;)
y=g;else for(;--g>=n&&t[g]===null;)y=g;let h=l(e[f]),k=y==f?h:l(e[y]),D=f-o;h=i<=0&&D>=0&&D<p?l(e[D]):h;let M=y+o;k=i>=0&&M>=0&&M<p?l(e[M]):k,k>=h&&a.push([h,k])}
return a}function Wa(e){return e==0?eu:e==1?ze:t=>$n(t,e)}function Tu(e){let t=e==0?Vo:Ko,n=e==0?(o,l,i,a,p,g)=>{o.arcTo(l,i,a,p,g)}:(o,l,i,a,p,g)=>{o.arcTo(i,l,
p,a,g)},r=e==0?(o,l,i,a,p)=>{o.rect(l,i,a,p)}:(o,l,i,a,p)=>{o.rect(i,l,p,a)};return(o,l,i,a,p,g=0,_=0)=>{g==0&&_==0?r(o,l,i,a,p):(g=$t(g,a/2,p/2),_=$t(_,a/2,p/2),
t(o,l+g,i),n(o,l+a,i,l+a,i+p,g),n(o,l+a,i+p,l,i+p,_),n(o,l,i+p,l,i,_),n(o,l,i,l+a,i,g),o.closePath())}}var Vo=(e,t,n)=>{e.moveTo(t,n)},Ko=(e,t,n)=>{e.moveTo(n,t)},
kr=(e,t,n)=>{e.lineTo(t,n)},Tr=(e,t,n)=>{e.lineTo(n,t)},jo=Tu(0),Cs=Tu(1),Su=(e,t,n,r,o,l)=>{e.arc(t,n,r,o,l)},Cu=(e,t,n,r,o,l)=>{e.arc(n,t,r,o,l)},Eu=(e,t,n,r,o,l,i)=>{
e.bezierCurveTo(t,n,r,o,l,i)},Pu=(e,t,n,r,o,l,i)=>{e.bezierCurveTo(n,t,o,r,i,l)};function Du(e){return(t,n,r,o,l)=>Hn(t,n,(i,a,p,g,_,f,y,h,k,D,P)=>{let{pxRound:M,
points:x}=i,R,T;g.ori==0?(R=Vo,T=Su):(R=Ko,T=Cu);let B=he(x.width*ie,3),$=(x.size-x.width)/2*ie,Y=he($*2,3),N=new Path2D,Q=new Path2D,{left:I,top:E,width:W,height:L}=t.
bbox;jo(Q,I-Y,E-Y,W+Y*2,L+Y*2);let K=H=>{if(p[H]!=null){let ne=M(f(a[H],g,D,h)),U=M(y(p[H],_,P,k));R(N,ne+$,U),T(N,ne,U,$,0,$o*2)}};if(l)l.forEach(K);else for(let H=r;H<=
o;H++)K(H);return{stroke:B>0?N:null,fill:N,clip:Q,flags:xr|cs}})}function Mu(e){return(t,n,r,o,l,i)=>{r!=o&&(l!=r&&i!=r&&e(t,n,r),l!=o&&i!=o&&e(t,n,o),e(t,n,i))}}
var Ud=Mu(kr),Hd=Mu(Tr);function Ru(e){let t=le(e?.alignGaps,0);return(n,r,o,l)=>Hn(n,r,(i,a,p,g,_,f,y,h,k,D,P)=>{[o,l]=Uo(p,o,l);let M=i.pxRound,x=L=>M(f(L,g,D,
h)),R=L=>M(y(L,_,P,k)),T,B;g.ori==0?(T=kr,B=Ud):(T=Tr,B=Hd);let $=g.dir*(g.ori==0?1:-1),Y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:xr},N=Y.
stroke,Q=!1;if(l-o>=D*4){let L=z=>n.posToVal(z,g.key,!0),K=null,H=null,ne,U,rt,we=x(a[$==1?o:l]),re=x(a[o]),de=x(a[l]),X=L($==1?re+1:de-1);for(let z=$==1?o:l;z>=
o&&z<=l;z+=$){let $e=a[z],ke=($==1?$e<X:$e>X)?we:x($e),ae=p[z];ke==we?ae!=null?(U=ae,K==null?(T(N,ke,R(U)),ne=K=H=U):U<K?K=U:U>H&&(H=U)):ae===null&&(Q=!0):(K!=null&&
B(N,we,R(K),R(H),R(ne),R(U)),ae!=null?(U=ae,T(N,ke,R(U)),K=H=ne=U):(K=H=null,ae===null&&(Q=!0)),we=ke,X=L(we+$))}K!=null&&K!=H&&rt!=we&&B(N,we,R(K),R(H),R(ne),R(
U))}else for(let L=$==1?o:l;L>=o&&L<=l;L+=$){let K=p[L];K===null?Q=!0:K!=null&&T(N,x(a[L]),R(K))}let[E,W]=Ts(n,r);if(i.fill!=null||E!=0){let L=Y.fill=new Path2D(
N),K=i.fillTo(n,r,i.min,i.max,E),H=R(K),ne=x(a[o]),U=x(a[l]);$==-1&&([U,ne]=[ne,U]),T(L,U,H),T(L,ne,H)}if(!i.spanGaps){let L=[];Q&&L.push(...Ss(a,p,o,l,$,x,t)),
Y.gaps=L=i.gaps(n,r,o,l,L),Y.clip=Wo(L,g.ori,h,k,D,P)}return W!=0&&(Y.band=W==2?[tn(n,r,o,l,N,-1),tn(n,r,o,l,N,1)]:tn(n,r,o,l,N,W)),Y})}function Id(e){let t=le(
e.align,1),n=le(e.ascDesc,!1),r=le(e.alignGaps,0),o=le(e.extend,!1);return(l,i,a,p)=>Hn(l,i,(g,_,f,y,h,k,D,P,M,x,R)=>{[a,p]=Uo(f,a,p);let T=g.pxRound,{left:B,width:$}=l.
bbox,Y=re=>T(k(re,y,x,P)),N=re=>T(D(re,h,R,M)),Q=y.ori==0?kr:Tr,I={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:xr},E=I.stroke,W=y.dir*(y.ori==
0?1:-1),L=N(f[W==1?a:p]),K=Y(_[W==1?a:p]),H=K,ne=K;o&&t==-1&&(ne=B,Q(E,ne,L)),Q(E,K,L);for(let re=W==1?a:p;re>=a&&re<=p;re+=W){let de=f[re];if(de==null)continue;
let X=Y(_[re]),z=N(de);t==1?Q(E,X,L):Q(E,H,z),Q(E,X,z),L=z,H=X}let U=H;o&&t==1&&(U=B+$,Q(E,U,L));let[rt,we]=Ts(l,i);if(g.fill!=null||rt!=0){let re=I.fill=new Path2D(
E),de=g.fillTo(l,i,g.min,g.max,rt),X=N(de);Q(re,U,X),Q(re,ne,X)}if(!g.spanGaps){let re=[];re.push(...Ss(_,f,a,p,W,Y,r));let de=g.width*ie/2,X=n||t==1?de:-de,z=n||
t==-1?-de:de;re.forEach($e=>{$e[0]+=X,$e[1]+=z}),I.gaps=re=g.gaps(l,i,a,p,re),I.clip=Wo(re,y.ori,P,M,x,R)}return we!=0&&(I.band=we==2?[tn(l,i,a,p,E,-1),tn(l,i,a,
p,E,1)]:tn(l,i,a,p,E,we)),I})}function Va(e,t,n,r,o,l,i=ge){if(e.length>1){let a=null;for(let p=0,g=1/0;p<e.length;p++)if(t[p]!==void 0){if(a!=null){let _=Ge(e[p]-
e[a]);_<g&&(g=_,i=Ge(n(e[p],r,o,l)-n(e[a],r,o,l)))}a=p}}return i}function Nd(e){e=e||eo;let t=le(e.size,[.6,ge,1]),n=e.align||0,r=e.gap||0,o=e.radius;o=o==null?
[0,0]:typeof o=="number"?[o,0]:o;let l=te(o),i=1-t[0],a=le(t[1],ge),p=le(t[2],1),g=le(e.disp,eo),_=le(e.each,h=>{}),{fill:f,stroke:y}=g;return(h,k,D,P)=>Hn(h,k,
(M,x,R,T,B,$,Y,N,Q,I,E)=>{let W=M.pxRound,L=n,K=r*ie,H=a*ie,ne=p*ie,U,rt;T.ori==0?[U,rt]=l(h,k):[rt,U]=l(h,k);let we=T.dir*(T.ori==0?1:-1),re=T.ori==0?jo:Cs,de=T.
ori==0?_:(O,_e,Fe,Vn,yn,Ut,vn)=>{_(O,_e,Fe,yn,Vn,vn,Ut)},X=le(h.bands,ys).find(O=>O.series[0]==k),z=X!=null?X.dir:0,$e=M.fillTo(h,k,M.min,M.max,z),Qe=W(Y($e,B,E,
Q)),ke,ae,Et,at=I,Ee=W(M.width*ie),Gt=!1,Yt=null,_t=null,nn=null,In=null;f!=null&&(Ee==0||y!=null)&&(Gt=!0,Yt=f.values(h,k,D,P),_t=new Map,new Set(Yt).forEach(O=>{
O!=null&&_t.set(O,new Path2D)}),Ee>0&&(nn=y.values(h,k,D,P),In=new Map,new Set(nn).forEach(O=>{O!=null&&In.set(O,new Path2D)})));let{x0:Nn,size:Pr}=g;if(Nn!=null&&
Pr!=null){L=1,x=Nn.values(h,k,D,P),Nn.unit==2&&(x=x.map(Fe=>h.posToVal(N+Fe*I,T.key,!0)));let O=Pr.values(h,k,D,P);Pr.unit==2?ae=O[0]*I:ae=$(O[0],T,I,N)-$(0,T,I,
N),at=Va(x,R,$,T,I,N,at),Et=at-ae+K}else at=Va(x,R,$,T,I,N,at),Et=at*i+K,ae=at-Et;Et<1&&(Et=0),Ee>=ae/2&&(Ee=0),Et<5&&(W=eu);let lo=Et>0,_n=at-Et-(lo?Ee:0);ae=W(
is(_n,ne,H)),ke=(L==0?ae/2:L==we?0:ae)-L*we*((L==0?K/2:0)+(lo?Ee/2:0));let Je={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Wn=Gt?null:new Path2D,
Zt=null;if(X!=null)Zt=h.data[X.series[1]];else{let{y0:O,y1:_e}=g;O!=null&&_e!=null&&(R=_e.values(h,k,D,P),Zt=O.values(h,k,D,P))}let bn=U*ae,Z=rt*ae;for(let O=we==
1?D:P;O>=D&&O<=P;O+=we){let _e=R[O];if(_e==null)continue;if(Zt!=null){let ot=Zt[O]??0;if(_e-ot==0)continue;Qe=Y(ot,B,E,Q)}let Fe=T.distr!=2||g!=null?x[O]:O,Vn=$(
Fe,T,I,N),yn=Y(le(_e,$e),B,E,Q),Ut=W(Vn-ke),vn=W(nt(yn,Qe)),ut=W($t(yn,Qe)),bt=vn-ut;if(_e!=null){let ot=_e<0?Z:bn,Pt=_e<0?bn:Z;Gt?(Ee>0&&nn[O]!=null&&re(In.get(
nn[O]),Ut,ut+gt(Ee/2),ae,nt(0,bt-Ee),ot,Pt),Yt[O]!=null&&re(_t.get(Yt[O]),Ut,ut+gt(Ee/2),ae,nt(0,bt-Ee),ot,Pt)):re(Wn,Ut,ut+gt(Ee/2),ae,nt(0,bt-Ee),ot,Pt),de(h,
k,O,Ut-Ee/2,ut,ae+Ee,bt)}}return Ee>0?Je.stroke=Gt?In:Wn:Gt||(Je._fill=M.width==0?M._fill:M._stroke??M._fill,Je.width=0),Je.fill=Gt?_t:Wn,Je})}function Wd(e,t){
let n=le(t?.alignGaps,0);return(r,o,l,i)=>Hn(r,o,(a,p,g,_,f,y,h,k,D,P,M)=>{[l,i]=Uo(g,l,i);let x=a.pxRound,R=U=>x(y(U,_,P,k)),T=U=>x(h(U,f,M,D)),B,$,Y;_.ori==0?
(B=Vo,Y=kr,$=Eu):(B=Ko,Y=Tr,$=Pu);let N=_.dir*(_.ori==0?1:-1),Q=R(p[N==1?l:i]),I=Q,E=[],W=[];for(let U=N==1?l:i;U>=l&&U<=i;U+=N)if(g[U]!=null){let we=p[U],re=R(
we);E.push(I=re),W.push(T(g[U]))}let L={stroke:e(E,W,B,Y,$,x),fill:null,clip:null,band:null,gaps:null,flags:xr},K=L.stroke,[H,ne]=Ts(r,o);if(a.fill!=null||H!=0){
let U=L.fill=new Path2D(K),rt=a.fillTo(r,o,a.min,a.max,H),we=T(rt);Y(U,I,we),Y(U,Q,we)}if(!a.spanGaps){let U=[];U.push(...Ss(p,g,l,i,N,R,n)),L.gaps=U=a.gaps(r,o,
l,i,U),L.clip=Wo(U,_.ori,k,D,P,M)}return ne!=0&&(L.band=ne==2?[tn(r,o,l,i,K,-1),tn(r,o,l,i,K,1)]:tn(r,o,l,i,K,ne)),L})}function Vd(e){return Wd(Kd,e)}function Kd(e,t,n,r,o,l){
let i=e.length;if(i<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),i==2)r(a,e[1],t[1]);else{let p=Array(i),g=Array(i-1),_=Array(i-1),f=Array(i-1);for(let y=0;y<
i-1;y++)_[y]=t[y+1]-t[y],f[y]=e[y+1]-e[y],g[y]=_[y]/f[y];p[0]=g[0];for(let y=1;y<i-1;y++)g[y]===0||g[y-1]===0||g[y-1]>0!=g[y]>0?p[y]=0:(p[y]=3*(f[y-1]+f[y])/((2*
f[y]+f[y-1])/g[y-1]+(f[y]+2*f[y-1])/g[y]),isFinite(p[y])||(p[y]=0));p[i-1]=g[i-2];for(let y=0;y<i-1;y++)o(a,e[y]+f[y]/3,t[y]+p[y]*f[y]/3,e[y+1]-f[y]/3,t[y+1]-p[y+
1]*f[y]/3,e[y+1],t[y+1])}return a}var fs=new Set;function Ka(){for(let e of fs)e.syncRect(!0)}wr&&(Gn(Cf,_r,Ka),Gn(Ef,_r,Ka,!0),Gn(Fo,_r,()=>{Ue.pxRatio=ie}));var jd=Ru(),
Bd=Du();function ja(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((l,i)=>ds(l,i,t,n))}function Yd(e,t){return e.map((n,r)=>r==
0?{}:Oe({},t,n))}function ds(e,t,n,r){return Oe({},t==0?n:r,e)}function Au(e,t,n){return t==null?yr:[t,n]}var Zd=Au;function Qd(e,t,n){return t==null?yr:zo(t,n,
_s,!0)}function Lu(e,t,n,r){return t==null?yr:Ho(t,n,e.scales[r].log,!1)}var Jd=Lu;function qu(e,t,n,r){return t==null?yr:hs(t,n,e.scales[r].log,!1)}var Xd=qu;function ep(e,t,n,r,o){
let l=nt(Sa(e),Sa(t)),i=t-e,a=Ot(o/r*i,n);do{let p=n[a],g=r*p/i;if(g>=o&&l+(p<5?hn.get(p):0)<=17)return[p,g]}while(++a<n.length);return[0,0]}function Ba(e){let t,
n;return e=e.replace(/(\d+)px/,(r,o)=>(t=ze((n=+o)*ie))+"px"),[e,t,n]}function tp(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=he(t[2]*ie,1);t[0]=t[0].replace(
/[0-9.]+px/,n+"px"),t[1]=n})}function Ue(e,t,n){let r={mode:le(e.mode,1)},o=r.mode;function l(s,c,d,m){let b=c.valToPct(s);return m+d*(c.dir==-1?1-b:b)}function i(s,c,d,m){
let b=c.valToPct(s);return m+d*(c.dir==-1?b:1-b)}function a(s,c,d,m){return c.ori==0?l(s,c,d,m):i(s,c,d,m)}r.valToPosH=l,r.valToPosV=i;let p=!1;r.status=0;let g=r.
root=St(af);if(e.id!=null&&(g.id=e.id),mt(g,e.class),e.title){let s=St(ff,g);s.textContent=e.title}let _=qt("canvas"),f=r.ctx=_.getContext("2d"),y=St(df,g);Gn("\
click",y,s=>{s.target===k&&(be!=nr||Te!=rr)&&Be.click(r,s)},!0);let h=r.under=St(pf,y);y.appendChild(_);let k=r.over=St(mf,y);e=vr(e);let D=+le(e.pxAlign,1),P=Wa(
D);(e.plugins||[]).forEach(s=>{s.opts&&(e=s.opts(r,e)||e)});let M=e.ms||.001,x=r.series=o==1?ja(e.series||[],Fa,Ia,!1):Yd(e.series||[null],Ha),R=r.axes=ja(e.axes||
[],$a,Ga,!0),T=r.scales={},B=r.bands=e.bands||[];B.forEach(s=>{s.fill=te(s.fill||null),s.dir=le(s.dir,-1)});let $=o==2?x[1].facets[0].scale:x[0].scale,Y={axes:mc,
series:uc},N=(e.drawOrder||["axes","series"]).map(s=>Y[s]);function Q(s){let c=s.distr==3?d=>en(d>0?d:s.clamp(r,d,s.min,s.max,s.key)):s.distr==4?d=>Xl(d,s.asinh):
s.distr==100?d=>s.fwd(d):d=>d;return d=>{let m=c(d),{_min:b,_max:v}=s,w=v-b;return(m-b)/w}}function I(s){let c=T[s];if(c==null){let d=(e.scales||eo)[s]||eo;if(d.
from!=null){I(d.from);let m=Oe({},T[d.from],d,{key:s});m.valToPct=Q(m),T[s]=m}else{c=T[s]=Oe({},s==$?wu:Fd,d),c.key=s;let m=c.time,b=c.range,v=gn(b);if((s!=$||o==
2&&!m)&&(v&&(b[0]==null||b[1]==null)&&(b={min:b[0]==null?wa:{mode:1,hard:b[0],soft:b[0]},max:b[1]==null?wa:{mode:1,hard:b[1],soft:b[1]}},v=!1),!v&&No(b))){let w=b;
b=(S,C,A)=>C==null?yr:zo(C,A,w)}c.range=te(b||(m?Zd:s==$?c.distr==3?Jd:c.distr==4?Xd:Au:c.distr==3?Lu:c.distr==4?qu:Qd)),c.auto=te(v?!1:c.auto),c.clamp=te(c.clamp||
$d),c._min=c._max=null,c.valToPct=Q(c)}}}I("x"),I("y"),o==1&&x.forEach(s=>{I(s.scale)}),R.forEach(s=>{I(s.scale)});for(let s in e.scales)I(s);let E=T[$],W=E.distr,
L,K;E.ori==0?(mt(g,uf),L=l,K=i):(mt(g,cf),L=i,K=l);let H={};for(let s in T){let c=T[s];(c.min!=null||c.max!=null)&&(H[s]={min:c.min,max:c.max},c.min=c.max=null)}
let ne=e.tzDate||(s=>new Date(ze(s/M))),U=e.fmtDate||vs,rt=M==1?ud(ne):dd(ne),we=La(ne,Aa(M==1?ad:fd,U)),re=Oa(ne,qa(md,U)),de=[],X=r.legend=Oe({},_d,e.legend),
z=r.cursor=Oe({},kd,{drag:{y:o==2}},e.cursor),$e=X.show,Qe=z.show,ke=X.markers;X.idxs=de,ke.width=te(ke.width),ke.dash=te(ke.dash),ke.stroke=te(ke.stroke),ke.fill=
te(ke.fill);let ae,Et,at,Ee=[],Gt=[],Yt,_t=!1,nn={};if(X.live){let s=x[1]?x[1].values:null;_t=s!=null,Yt=_t?s(r,1,0):{_:0};for(let c in Yt)nn[c]=ms}if($e)if(ae=
qt("table",vf,g),at=qt("tbody",null,ae),X.mount(r,ae),_t){Et=qt("thead",null,ae,at);let s=qt("tr",null,Et);qt("th",null,s);for(var In in Yt)qt("th",ua,s).textContent=
In}else mt(ae,wf),X.live&&mt(ae,xf);let Nn={show:!0},Pr={show:!1};function lo(s,c){if(c==0&&(_t||!X.live||o==2))return yr;let d=[],m=qt("tr",kf,at,at.childNodes[c]);
mt(m,s.class),s.show||mt(m,zn);let b=qt("th",null,m);if(ke.show){let S=St(Tf,b);if(c>0){let C=ke.width(r,c);C&&(S.style.border=C+"px "+ke.dash(r,c)+" "+ke.stroke(
r,c)),S.style.background=ke.fill(r,c)}}let v=St(ua,b);s.label instanceof HTMLElement?v.appendChild(s.label):v.textContent=s.label,c>0&&(ke.show||(v.style.color=
s.width>0?ke.stroke(r,c):ke.fill(r,c)),Je("click",b,S=>{if(z._lock)return;wn(S);let C=x.indexOf(s);if((S.ctrlKey||S.metaKey)!=X.isolate){let A=x.some((q,F)=>F>0&&
F!=C&&q.show);x.forEach((q,F)=>{F>0&&It(F,A?F==C?Nn:Pr:Nn,!0,Le.setSeries)})}else It(C,{show:!s.show},!0,Le.setSeries)},!1),jn&&Je(pa,b,S=>{z._lock||(wn(S),It(x.
indexOf(s),lr,!0,Le.setSeries))},!1));for(var w in Yt){let S=qt("td",Sf,m);S.textContent="--",d.push(S)}return[m,d]}let _n=new Map;function Je(s,c,d,m=!0){let b=_n.
get(c)||{},v=z.bind[s](r,c,d,m);v&&(Gn(s,c,b[s]=v),_n.set(c,b))}function Wn(s,c,d){let m=_n.get(c)||{};for(let b in m)(s==null||b==s)&&(ss(b,c,m[b]),delete m[b]);
s==null&&_n.delete(c)}let Zt=0,bn=0,Z=0,O=0,_e=0,Fe=0,Vn=_e,yn=Fe,Ut=Z,vn=O,ut=0,bt=0,ot=0,Pt=0;r.bbox={};let tl=!1,so=!1,Kn=!1,xn=!1,io=!1,yt=!1;function nl(s,c,d){
(d||s!=r.width||c!=r.height)&&Us(s,c),Jn(!1),Kn=!0,so=!0,Xn()}function Us(s,c){r.width=Zt=Z=s,r.height=bn=O=c,_e=Fe=0,nc(),rc();let d=r.bbox;ut=d.left=$n(_e*ie,
.5),bt=d.top=$n(Fe*ie,.5),ot=d.width=$n(Z*ie,.5),Pt=d.height=$n(O*ie,.5)}let Xu=3;function ec(){let s=!1,c=0;for(;!s;){c++;let d=dc(c),m=pc(c);s=c==Xu||d&&m,s||
(Us(r.width,r.height),so=!0)}}function tc({width:s,height:c}){nl(s,c)}r.setSize=tc;function nc(){let s=!1,c=!1,d=!1,m=!1;R.forEach((b,v)=>{if(b.show&&b._show){let{
side:w,_size:S}=b,C=w%2,A=b.label!=null?b.labelSize:0,q=S+A;q>0&&(C?(Z-=q,w==3?(_e+=q,m=!0):d=!0):(O-=q,w==0?(Fe+=q,s=!0):c=!0))}}),kn[0]=s,kn[1]=d,kn[2]=c,kn[3]=
m,Z-=rn[1]+rn[3],_e+=rn[3],O-=rn[2]+rn[0],Fe+=rn[0]}function rc(){let s=_e+Z,c=Fe+O,d=_e,m=Fe;function b(v,w){switch(v){case 1:return s+=w,s-w;case 2:return c+=
w,c-w;case 3:return d-=w,d+w;case 0:return m-=w,m+w}}R.forEach((v,w)=>{if(v.show&&v._show){let S=v.side;v._pos=b(S,v._size),v.label!=null&&(v._lpos=b(S,v.labelSize))}})}
if(z.dataIdx==null){let s=z.hover,c=s.skip=new Set(s.skip??[]);c.add(void 0);let d=s.prox=te(s.prox),m=s.bias??=0;z.dataIdx=(b,v,w,S)=>{if(v==0)return w;let C=w,
A=d(b,v,w,S)??ge,q=A>=0&&A<ge,F=E.ori==0?Z:O,j=z.left,se=t[0],oe=t[v];if(c.has(oe[w])){C=null;let ee=null,V=null,G;if(m==0||m==-1)for(G=w;ee==null&&G-- >0;)c.has(
oe[G])||(ee=G);if(m==0||m==1)for(G=w;V==null&&G++<oe.length;)c.has(oe[G])||(V=G);if(ee!=null||V!=null)if(q){let ve=ee==null?-1/0:L(se[ee],E,F,0),De=V==null?1/0:
L(se[V],E,F,0),Ke=j-ve,pe=De-j;Ke<=pe?Ke<=A&&(C=ee):pe<=A&&(C=V)}else C=V==null?ee:ee==null?V:w-ee<=V-w?ee:V}else q&&Ge(j-L(se[w],E,F,0))>A&&(C=null);return C}}
let wn=s=>{z.event=s};z.idxs=de,z._lock=!1;let Ze=z.points;Ze.show=te(Ze.show),Ze.size=te(Ze.size),Ze.stroke=te(Ze.stroke),Ze.width=te(Ze.width),Ze.fill=te(Ze.fill);
let Ht=r.focus=Oe({},e.focus||{alpha:.3},z.focus),jn=Ht.prox>=0,Bn=jn&&Ze.one,vt=[],Yn=[],Zn=[];function Hs(s,c){let d=Ze.show(r,c);if(d instanceof HTMLElement)
return mt(d,yf),mt(d,s.class),jt(d,-10,-10,Z,O),k.insertBefore(d,vt[c]),d}function Is(s,c){if(o==1||c>0){let d=o==1&&T[s.scale].time,m=s.value;s.value=d?Pa(m)?Oa(
ne,qa(m,U)):m||re:m||Ld,s.label=s.label||(d?Sd:Td)}if(Bn||c>0){s.width=s.width==null?1:s.width,s.paths=s.paths||jd||Ff,s.fillTo=te(s.fillTo||zd),s.pxAlign=+le(s.
pxAlign,D),s.pxRound=Wa(s.pxAlign),s.stroke=te(s.stroke||null),s.fill=te(s.fill||null),s._stroke=s._fill=s._paths=s._focus=null;let d=qd(nt(1,s.width),1),m=s.points=
Oe({},{size:d,width:nt(1,d*.2),stroke:s.stroke,space:d*2,paths:Bd,_stroke:null,_fill:null},s.points);m.show=te(m.show),m.filter=te(m.filter),m.fill=te(m.fill),m.
stroke=te(m.stroke),m.paths=te(m.paths),m.pxAlign=s.pxAlign}if($e){let d=lo(s,c);Ee.splice(c,0,d[0]),Gt.splice(c,0,d[1]),X.values.push(null)}if(Qe){de.splice(c,
0,null);let d=null;Bn?c==0&&(d=Hs(s,c)):c>0&&(d=Hs(s,c)),vt.splice(c,0,d),Yn.splice(c,0,0),Zn.splice(c,0,0)}Ve("addSeries",c)}function oc(s,c){c=c??x.length,s=o==
1?ds(s,c,Fa,Ia):ds(s,c,{},Ha),x.splice(c,0,s),Is(x[c],c)}r.addSeries=oc;function lc(s){if(x.splice(s,1),$e){X.values.splice(s,1),Gt.splice(s,1);let c=Ee.splice(
s,1)[0];Wn(null,c.firstChild),c.remove()}Qe&&(de.splice(s,1),vt.splice(s,1)[0].remove(),Yn.splice(s,1),Zn.splice(s,1)),Ve("delSeries",s)}r.delSeries=lc;let kn=[
!1,!1,!1,!1];function sc(s,c){if(s._show=s.show,s.show){let d=s.side%2,m=T[s.scale];m==null&&(s.scale=d?x[1].scale:$,m=T[s.scale]);let b=m.time;s.size=te(s.size),
s.space=te(s.space),s.rotate=te(s.rotate),gn(s.incrs)&&s.incrs.forEach(w=>{!hn.has(w)&&hn.set(w,ru(w))}),s.incrs=te(s.incrs||(m.distr==2?ld:b?M==1?id:cd:Fn)),s.
splits=te(s.splits||(b&&m.distr==1?rt:m.distr==3?as:m.distr==4?Pd:Ed)),s.stroke=te(s.stroke),s.grid.stroke=te(s.grid.stroke),s.ticks.stroke=te(s.ticks.stroke),s.
border.stroke=te(s.border.stroke);let v=s.values;s.values=gn(v)&&!gn(v[0])?te(v):b?gn(v)?La(ne,Aa(v,U)):Pa(v)?pd(ne,v):v||we:v||Cd,s.filter=te(s.filter||(m.distr>=
3&&m.log==10?Rd:m.distr==3&&m.log==2?Ad:tu)),s.font=Ba(s.font),s.labelFont=Ba(s.labelFont),s._size=s.size(r,null,c,0),s._space=s._rotate=s._incrs=s._found=s._splits=
s._values=null,s._size>0&&(kn[c]=!0,s._el=St(gf,y))}}function Dr(s,c,d,m){let[b,v,w,S]=d,C=c%2,A=0;return C==0&&(S||v)&&(A=c==0&&!b||c==2&&!w?ze($a.size/3):0),C==
1&&(b||w)&&(A=c==1&&!v||c==3&&!S?ze(Ga.size/2):0),A}let Ns=r.padding=(e.padding||[Dr,Dr,Dr,Dr]).map(s=>te(le(s,Dr))),rn=r._padding=Ns.map((s,c)=>s(r,c,kn,0)),je,
He=null,Ie=null,ao=o==1?x[0].idxs:null,Dt=null,Mr=!1;function Ws(s,c){if(t=s??[],r.data=r._data=t,o==2){je=0;for(let d=1;d<x.length;d++)je+=t[d][0].length}else{
t.length==0&&(r.data=r._data=t=[[]]),Dt=t[0],je=Dt.length;let d=t;if(W==2){d=t.slice();let m=d[0]=Array(je);for(let b=0;b<je;b++)m[b]=b}r._data=t=d}if(Jn(!0),Ve(
"setData"),W==2&&(Kn=!0),c!==!1){let d=E;d.auto(r,Mr)?rl():ln($,d.min,d.max),xn=xn||z.left>=0,yt=!0,Xn()}}r.setData=Ws;function rl(){Mr=!0;let s,c;o==1&&(je>0?(He=
ao[0]=0,Ie=ao[1]=je-1,s=t[0][He],c=t[0][Ie],W==2?(s=He,c=Ie):s==c&&(W==3?[s,c]=Ho(s,s,E.log,!1):W==4?[s,c]=hs(s,s,E.log,!1):E.time?c=s+ze(86400/M):[s,c]=zo(s,c,
_s,!0))):(He=ao[0]=s=null,Ie=ao[1]=c=null)),ln($,s,c)}let uo,Qn,ol,ll,sl,il,al,ul,cl,lt;function Vs(s,c,d,m,b,v){s??=fa,d??=ys,m??="butt",b??=fa,v??="round",s!=
uo&&(f.strokeStyle=uo=s),b!=Qn&&(f.fillStyle=Qn=b),c!=ol&&(f.lineWidth=ol=c),v!=sl&&(f.lineJoin=sl=v),m!=il&&(f.lineCap=il=m),d!=ll&&f.setLineDash(ll=d)}function Ks(s,c,d,m){
c!=Qn&&(f.fillStyle=Qn=c),s!=al&&(f.font=al=s),d!=ul&&(f.textAlign=ul=d),m!=cl&&(f.textBaseline=cl=m)}function fl(s,c,d,m,b=0){if(m.length>0&&s.auto(r,Mr)&&(c==
null||c.min==null)){let v=le(He,0),w=le(Ie,m.length-1),S=d.min==null?Rf(m,v,w,b,s.distr==3):[d.min,d.max];s.min=$t(s.min,d.min=S[0]),s.max=nt(s.max,d.max=S[1])}}
let js={min:null,max:null};function ic(){for(let m in T){let b=T[m];H[m]==null&&(b.min==null||H[$]!=null&&b.auto(r,Mr))&&(H[m]=js)}for(let m in T){let b=T[m];H[m]==
null&&b.from!=null&&H[b.from]!=null&&(H[m]=js)}H[$]!=null&&Jn(!0);let s={};for(let m in H){let b=H[m];if(b!=null){let v=s[m]=vr(T[m],Uf);if(b.min!=null)Oe(v,b);else if(m!=
$||o==2)if(je==0&&v.from==null){let w=v.range(r,null,null,m);v.min=w[0],v.max=w[1]}else v.min=ge,v.max=-ge}}if(je>0){x.forEach((m,b)=>{if(o==1){let v=m.scale,w=H[v];
if(w==null)return;let S=s[v];if(b==0){let C=S.range(r,S.min,S.max,v);S.min=C[0],S.max=C[1],He=Ot(S.min,t[0]),Ie=Ot(S.max,t[0]),Ie-He>1&&(t[0][He]<S.min&&He++,t[0][Ie]>
S.max&&Ie--),m.min=Dt[He],m.max=Dt[Ie]}else m.show&&m.auto&&fl(S,w,m,t[b],m.sorted);m.idxs[0]=He,m.idxs[1]=Ie}else if(b>0&&m.show&&m.auto){let[v,w]=m.facets,S=v.
scale,C=w.scale,[A,q]=t[b],F=s[S],j=s[C];F!=null&&fl(F,H[S],v,A,v.sorted),j!=null&&fl(j,H[C],w,q,w.sorted),m.min=w.min,m.max=w.max}});for(let m in s){let b=s[m],
v=H[m];if(b.from==null&&(v==null||v.min==null)){let w=b.range(r,b.min==ge?null:b.min,b.max==-ge?null:b.max,m);b.min=w[0],b.max=w[1]}}}for(let m in s){let b=s[m];
if(b.from!=null){let v=s[b.from];if(v.min==null)b.min=b.max=null;else{let w=b.range(r,v.min,v.max,m);b.min=w[0],b.max=w[1]}}}let c={},d=!1;for(let m in s){let b=s[m],
v=T[m];if(v.min!=b.min||v.max!=b.max){v.min=b.min,v.max=b.max;let w=v.distr;v._min=w==3?en(v.min):w==4?Xl(v.min,v.asinh):w==100?v.fwd(v.min):v.min,v._max=w==3?en(
v.max):w==4?Xl(v.max,v.asinh):w==100?v.fwd(v.max):v.max,c[m]=d=!0}}if(d){x.forEach((m,b)=>{o==2?b>0&&c.y&&(m._paths=null):c[m.scale]&&(m._paths=null)});for(let m in c)
Kn=!0,Ve("setScale",m);Qe&&z.left>=0&&(xn=yt=!0)}for(let m in H)H[m]=null}function ac(s){let c=is(He-1,0,je-1),d=is(Ie+1,0,je-1);for(;s[c]==null&&c>0;)c--;for(;s[d]==
null&&d<je-1;)d++;return[c,d]}function uc(){if(je>0){let s=x.some(c=>c._focus)&&lt!=Ht.alpha;s&&(f.globalAlpha=lt=Ht.alpha),x.forEach((c,d)=>{if(d>0&&c.show&&(Bs(
d,!1),Bs(d,!0),c._paths==null)){let m=lt;lt!=c.alpha&&(f.globalAlpha=lt=c.alpha);let b=o==2?[0,t[d][0].length-1]:ac(t[d]);c._paths=c.paths(r,d,b[0],b[1]),lt!=m&&
(f.globalAlpha=lt=m)}}),x.forEach((c,d)=>{if(d>0&&c.show){let m=lt;lt!=c.alpha&&(f.globalAlpha=lt=c.alpha),c._paths!=null&&Ys(d,!1);{let b=c._paths!=null?c._paths.
gaps:null,v=c.points.show(r,d,He,Ie,b),w=c.points.filter(r,d,v,b);(v||w)&&(c.points._paths=c.points.paths(r,d,He,Ie,w),Ys(d,!0))}lt!=m&&(f.globalAlpha=lt=m),Ve(
"drawSeries",d)}}),s&&(f.globalAlpha=lt=1)}}function Bs(s,c){let d=c?x[s].points:x[s];d._stroke=d.stroke(r,s),d._fill=d.fill(r,s)}function Ys(s,c){let d=c?x[s].
points:x[s],{stroke:m,fill:b,clip:v,flags:w,_stroke:S=d._stroke,_fill:C=d._fill,_width:A=d.width}=d._paths;A=he(A*ie,3);let q=null,F=A%2/2;c&&C==null&&(C=A>0?"#\
fff":S);let j=d.pxAlign==1&&F>0;if(j&&f.translate(F,F),!c){let se=ut-A/2,oe=bt-A/2,ee=ot+A,V=Pt+A;q=new Path2D,q.rect(se,oe,ee,V)}c?dl(S,A,d.dash,d.cap,C,m,b,w,
v):cc(s,S,A,d.dash,d.cap,C,m,b,w,q,v),j&&f.translate(-F,-F)}function cc(s,c,d,m,b,v,w,S,C,A,q){let F=!1;C!=0&&B.forEach((j,se)=>{if(j.series[0]==s){let oe=x[j.series[1]],
ee=t[j.series[1]],V=(oe._paths||eo).band;gn(V)&&(V=j.dir==1?V[0]:V[1]);let G,ve=null;oe.show&&V&&Lf(ee,He,Ie)?(ve=j.fill(r,se)||v,G=oe._paths.clip):V=null,dl(c,
d,m,b,ve,w,S,C,A,q,G,V),F=!0}}),F||dl(c,d,m,b,v,w,S,C,A,q)}let Zs=xr|cs;function dl(s,c,d,m,b,v,w,S,C,A,q,F){Vs(s,c,d,m,b),(C||A||F)&&(f.save(),C&&f.clip(C),A&&
f.clip(A)),F?(S&Zs)==Zs?(f.clip(F),q&&f.clip(q),fo(b,w),co(s,v,c)):S&cs?(fo(b,w),f.clip(F),co(s,v,c)):S&xr&&(f.save(),f.clip(F),q&&f.clip(q),fo(b,w),f.restore(),
co(s,v,c)):(fo(b,w),co(s,v,c)),(C||A||F)&&f.restore()}function co(s,c,d){d>0&&(c instanceof Map?c.forEach((m,b)=>{f.strokeStyle=uo=b,f.stroke(m)}):c!=null&&s&&f.
stroke(c))}function fo(s,c){c instanceof Map?c.forEach((d,m)=>{f.fillStyle=Qn=m,f.fill(d)}):c!=null&&s&&f.fill(c)}function fc(s,c,d,m){let b=R[s],v;if(m<=0)v=[0,
0];else{let w=b._space=b.space(r,s,c,d,m),S=b._incrs=b.incrs(r,s,c,d,m,w);v=ep(c,d,S,m,w)}return b._found=v}function pl(s,c,d,m,b,v,w,S,C,A){let q=w%2/2;D==1&&f.
translate(q,q),Vs(S,w,C,A,S),f.beginPath();let F,j,se,oe,ee=b+(m==0||m==3?-v:v);d==0?(j=b,oe=ee):(F=b,se=ee);for(let V=0;V<s.length;V++)c[V]!=null&&(d==0?F=se=s[V]:
j=oe=s[V],f.moveTo(F,j),f.lineTo(se,oe));f.stroke(),D==1&&f.translate(-q,-q)}function dc(s){let c=!0;return R.forEach((d,m)=>{if(!d.show)return;let b=T[d.scale];
if(b.min==null){d._show&&(c=!1,d._show=!1,Jn(!1));return}else d._show||(c=!1,d._show=!0,Jn(!1));let v=d.side,w=v%2,{min:S,max:C}=b,[A,q]=fc(m,S,C,w==0?Z:O);if(q==
0)return;let F=b.distr==2,j=d._splits=d.splits(r,m,S,C,A,q,F),se=b.distr==2?j.map(G=>Dt[G]):j,oe=b.distr==2?Dt[j[1]]-Dt[j[0]]:A,ee=d._values=d.values(r,d.filter(
r,se,m,q,oe),m,q,oe);d._rotate=v==2?d.rotate(r,ee,m,q):0;let V=d._size;d._size=Ct(d.size(r,ee,m,s)),V!=null&&d._size!=V&&(c=!1)}),c}function pc(s){let c=!0;return Ns.
forEach((d,m)=>{let b=d(r,m,kn,s);b!=rn[m]&&(c=!1),rn[m]=b}),c}function mc(){for(let s=0;s<R.length;s++){let c=R[s];if(!c.show||!c._show)continue;let d=c.side,m=d%
2,b,v,w=c.stroke(r,s),S=d==0||d==3?-1:1,[C,A]=c._found;if(c.label!=null){let et=c.labelGap*S,dt=ze((c._lpos+et)*ie);Ks(c.labelFont[0],w,"center",d==2?"top":ca),
f.save(),m==1?(b=v=0,f.translate(dt,ze(bt+Pt/2)),f.rotate((d==3?-$o:$o)/2)):(b=ze(ut+ot/2),v=dt);let Cn=Xa(c.label)?c.label(r,s,C,A):c.label;f.fillText(Cn,b,v),
f.restore()}if(A==0)continue;let q=T[c.scale],F=m==0?ot:Pt,j=m==0?ut:bt,se=c._splits,oe=q.distr==2?se.map(et=>Dt[et]):se,ee=q.distr==2?Dt[se[1]]-Dt[se[0]]:C,V=c.
ticks,G=c.border,ve=V.show?V.size:0,De=ze(ve*ie),Ke=ze((c.alignTo==2?c._size-ve-c.gap:c.gap)*ie),pe=c._rotate*-$o/180,Me=P(c._pos*ie),ct=(De+Ke)*S,Xe=Me+ct;v=m==
0?Xe:0,b=m==1?Xe:0;let xt=c.font[0],Mt=c.align==1?gr:c.align==2?Zl:pe>0?gr:pe<0?Zl:m==0?"center":d==3?Zl:gr,Wt=pe||m==1?"middle":d==2?"top":ca;Ks(xt,w,Mt,Wt);let ft=c.
font[1]*c.lineGap,wt=se.map(et=>P(a(et,q,F,j))),Rt=c._values;for(let et=0;et<Rt.length;et++){let dt=Rt[et];if(dt!=null){m==0?b=wt[et]:v=wt[et],dt=""+dt;let Cn=dt.
indexOf(`
`)==-1?[dt]:dt.split(/\n/gm);for(let tt=0;tt<Cn.length;tt++){let gi=Cn[tt];pe?(f.save(),f.translate(b,v+tt*ft),f.rotate(pe),f.fillText(gi,0,0),f.restore()):f.fillText(
gi,b,v+tt*ft)}}}V.show&&pl(wt,V.filter(r,oe,s,A,ee),m,d,Me,De,he(V.width*ie,3),V.stroke(r,s),V.dash,V.cap);let Vt=c.grid;Vt.show&&pl(wt,Vt.filter(r,oe,s,A,ee),m,
m==0?2:1,m==0?bt:ut,m==0?Pt:ot,he(Vt.width*ie,3),Vt.stroke(r,s),Vt.dash,Vt.cap),G.show&&pl([Me],[1],m==0?1:0,m==0?1:2,m==1?bt:ut,m==1?Pt:ot,he(G.width*ie,3),G.stroke(
r,s),G.dash,G.cap)}Ve("drawAxes")}function Jn(s){x.forEach((c,d)=>{d>0&&(c._paths=null,s&&(o==1?(c.min=null,c.max=null):c.facets.forEach(m=>{m.min=null,m.max=null})))})}
let po=!1,ml=!1,Rr=[];function gc(){ml=!1;for(let s=0;s<Rr.length;s++)Ve(...Rr[s]);Rr.length=0}function Xn(){po||(jf(Qs),po=!0)}function hc(s,c=!1){po=!0,ml=c,s(
r),Qs(),c&&Rr.length>0&&queueMicrotask(gc)}r.batch=hc;function Qs(){if(tl&&(ic(),tl=!1),Kn&&(ec(),Kn=!1),so){if(xe(h,gr,_e),xe(h,"top",Fe),xe(h,Zr,Z),xe(h,Qr,O),
xe(k,gr,_e),xe(k,"top",Fe),xe(k,Zr,Z),xe(k,Qr,O),xe(y,Zr,Zt),xe(y,Qr,bn),_.width=ze(Zt*ie),_.height=ze(bn*ie),R.forEach(({_el:s,_show:c,_size:d,_pos:m,side:b})=>{
if(s!=null)if(c){let v=b===3||b===0?d:0,w=b%2==1;xe(s,w?"left":"top",m-v),xe(s,w?"width":"height",d),xe(s,w?"top":"left",w?Fe:_e),xe(s,w?"height":"width",w?O:Z),
ls(s,zn)}else mt(s,zn)}),uo=Qn=ol=sl=il=al=ul=cl=ll=null,lt=1,qr(!0),_e!=Vn||Fe!=yn||Z!=Ut||O!=vn){Jn(!1);let s=Z/Ut,c=O/vn;if(Qe&&!xn&&z.left>=0){z.left*=s,z.top*=
c,er&&jt(er,ze(z.left),0,Z,O),tr&&jt(tr,0,ze(z.top),Z,O);for(let d=0;d<vt.length;d++){let m=vt[d];m!=null&&(Yn[d]*=s,Zn[d]*=c,jt(m,Ct(Yn[d]),Ct(Zn[d]),Z,O))}}if(ye.
show&&!io&&ye.left>=0&&ye.width>0){ye.left*=s,ye.width*=s,ye.top*=c,ye.height*=c;for(let d in vl)xe(or,d,ye[d])}Vn=_e,yn=Fe,Ut=Z,vn=O}Ve("setSize"),so=!1}Zt>0&&
bn>0&&(f.clearRect(0,0,_.width,_.height),Ve("drawClear"),N.forEach(s=>s()),Ve("draw")),ye.show&&io&&(mo(ye),io=!1),Qe&&xn&&(Sn(null,!0,!1),xn=!1),X.show&&X.live&&
yt&&(bl(),yt=!1),p||(p=!0,r.status=1,Ve("ready")),Mr=!1,po=!1}r.redraw=(s,c)=>{Kn=c||!1,s!==!1?ln($,E.min,E.max):Xn()};function gl(s,c){let d=T[s];if(d.from==null){
if(je==0){let m=d.range(r,c.min,c.max,s);c.min=m[0],c.max=m[1]}if(c.min>c.max){let m=c.min;c.min=c.max,c.max=m}if(je>1&&c.min!=null&&c.max!=null&&c.max-c.min<1e-16)
return;s==$&&d.distr==2&&je>0&&(c.min=Ot(c.min,t[0]),c.max=Ot(c.max,t[0]),c.min==c.max&&c.max++),H[s]=c,tl=!0,Xn()}}r.setScale=gl;let hl,_l,er,tr,Js,Xs,nr,rr,ei,
ti,be,Te,on=!1,Be=z.drag,Ne=Be.x,We=Be.y;Qe&&(z.x&&(hl=St(_f,k)),z.y&&(_l=St(bf,k)),E.ori==0?(er=hl,tr=_l):(er=_l,tr=hl),be=z.left,Te=z.top);let ye=r.select=Oe(
{show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),or=ye.show?St(hf,ye.over?k:h):null;function mo(s,c){if(ye.show){for(let d in s)ye[d]=s[d],d in vl&&xe(
or,d,s[d]);c!==!1&&Ve("setSelect")}}r.setSelect=mo;function _c(s){if(x[s].show)$e&&ls(Ee[s],zn);else if($e&&mt(Ee[s],zn),Qe){let d=Bn?vt[0]:vt[s];d!=null&&jt(d,
-10,-10,Z,O)}}function ln(s,c,d){gl(s,{min:c,max:d})}function It(s,c,d,m){c.focus!=null&&wc(s),c.show!=null&&x.forEach((b,v)=>{v>0&&(s==v||s==null)&&(b.show=c.show,
_c(v),o==2?(ln(b.facets[0].scale,null,null),ln(b.facets[1].scale,null,null)):ln(b.scale,null,null),Xn())}),d!==!1&&Ve("setSeries",s,c),m&&Or("setSeries",r,s,c)}
r.setSeries=It;function bc(s,c){Oe(B[s],c)}function yc(s,c){s.fill=te(s.fill||null),s.dir=le(s.dir,-1),c=c??B.length,B.splice(c,0,s)}function vc(s){s==null?B.length=
0:B.splice(s,1)}r.addBand=yc,r.setBand=bc,r.delBand=vc;function xc(s,c){x[s].alpha=c,Qe&&vt[s]!=null&&(vt[s].style.opacity=c),$e&&Ee[s]&&(Ee[s].style.opacity=c)}
let Qt,sn,Tn,lr={focus:!0};function wc(s){if(s!=Tn){let c=s==null,d=Ht.alpha!=1;x.forEach((m,b)=>{if(o==1||b>0){let v=c||b==0||b==s;m._focus=c?null:v,d&&xc(b,v?
1:Ht.alpha)}}),Tn=s,d&&Xn()}}$e&&jn&&Je(ma,ae,s=>{z._lock||(wn(s),Tn!=null&&It(null,lr,!0,Le.setSeries))});function Nt(s,c,d){let m=T[c];d&&(s=s/ie-(m.ori==1?Fe:
_e));let b=Z;m.ori==1&&(b=O,s=b-s),m.dir==-1&&(s=b-s);let v=m._min,w=m._max,S=s/b,C=v+(w-v)*S,A=m.distr;return A==3?br(10,C):A==4?Of(C,m.asinh):A==100?m.bwd(C):
C}function kc(s,c){let d=Nt(s,$,c);return Ot(d,t[0],He,Ie)}r.valToIdx=s=>Ot(s,t[0]),r.posToIdx=kc,r.posToVal=Nt,r.valToPos=(s,c,d)=>T[c].ori==0?l(s,T[c],d?ot:Z,
d?ut:0):i(s,T[c],d?Pt:O,d?bt:0),r.setCursor=(s,c,d)=>{be=s.left,Te=s.top,Sn(null,c,d)};function ni(s,c){xe(or,gr,ye.left=s),xe(or,Zr,ye.width=c)}function ri(s,c){
xe(or,"top",ye.top=s),xe(or,Qr,ye.height=c)}let Ar=E.ori==0?ni:ri,Lr=E.ori==1?ni:ri;function Tc(){if($e&&X.live)for(let s=o==2?1:0;s<x.length;s++){if(s==0&&_t)continue;
let c=X.values[s],d=0;for(let m in c)Gt[s][d++].firstChild.nodeValue=c[m]}}function bl(s,c){if(s!=null&&(s.idxs?s.idxs.forEach((d,m)=>{de[m]=d}):Gf(s.idx)||de.fill(
s.idx),X.idx=de[0]),$e&&X.live){for(let d=0;d<x.length;d++)(d>0||o==1&&!_t)&&Sc(d,de[d]);Tc()}yt=!1,c!==!1&&Ve("setLegend")}r.setLegend=bl;function Sc(s,c){let d=x[s],
m=s==0&&W==2?Dt:t[s],b;_t?b=d.values(r,s,c)??nn:(b=d.value(r,c==null?null:m[c],s,c),b=b==null?nn:{_:b}),X.values[s]=b}function Sn(s,c,d){ei=be,ti=Te,[be,Te]=z.move(
r,be,Te),z.left=be,z.top=Te,Qe&&(er&&jt(er,ze(be),0,Z,O),tr&&jt(tr,0,ze(Te),Z,O));let m,b=He>Ie;Qt=ge,sn=null;let v=E.ori==0?Z:O,w=E.ori==1?Z:O;if(be<0||je==0||
b){m=z.idx=null;for(let S=0;S<x.length;S++){let C=vt[S];C!=null&&jt(C,-10,-10,Z,O)}jn&&It(null,lr,!0,s==null&&Le.setSeries),X.live&&(de.fill(m),yt=!0)}else{let S,
C,A;o==1&&(S=E.ori==0?be:Te,C=Nt(S,$),m=z.idx=Ot(C,t[0],He,Ie),A=L(t[0][m],E,v,0));let q=-10,F=-10,j=0,se=0,oe=!0,ee="",V="";for(let G=o==2?1:0;G<x.length;G++){
let ve=x[G],De=de[G],Ke=De==null?null:o==1?t[G][De]:t[G][1][De],pe=z.dataIdx(r,G,m,C),Me=pe==null?null:o==1?t[G][pe]:t[G][1][pe];if(yt=yt||Me!=Ke||pe!=De,de[G]=
pe,G>0&&ve.show){let ct=pe==null?-10:pe==m?A:L(o==1?t[0][pe]:t[G][0][pe],E,v,0),Xe=Me==null?-10:K(Me,o==1?T[ve.scale]:T[ve.facets[1].scale],w,0);if(jn&&Me!=null){
let xt=E.ori==1?be:Te,Mt=Ge(Ht.dist(r,G,pe,Xe,xt));if(Mt<Qt){let Wt=Ht.bias;if(Wt!=0){let ft=Nt(xt,ve.scale),wt=Me>=0?1:-1,Rt=ft>=0?1:-1;Rt==wt&&(Rt==1?Wt==1?Me>=
ft:Me<=ft:Wt==1?Me<=ft:Me>=ft)&&(Qt=Mt,sn=G)}else Qt=Mt,sn=G}}if(yt||Bn){let xt,Mt;E.ori==0?(xt=ct,Mt=Xe):(xt=Xe,Mt=ct);let Wt,ft,wt,Rt,Vt,et,dt=!0,Cn=Ze.bbox;if(Cn!=
null){dt=!1;let tt=Cn(r,G);wt=tt.left,Rt=tt.top,Wt=tt.width,ft=tt.height}else wt=xt,Rt=Mt,Wt=ft=Ze.size(r,G);if(et=Ze.fill(r,G),Vt=Ze.stroke(r,G),Bn)G==sn&&Qt<=
Ht.prox&&(q=wt,F=Rt,j=Wt,se=ft,oe=dt,ee=et,V=Vt);else{let tt=vt[G];tt!=null&&(Yn[G]=wt,Zn[G]=Rt,xa(tt,Wt,ft,dt),ya(tt,et,Vt),jt(tt,Ct(wt),Ct(Rt),Z,O))}}}}if(Bn){
let G=Ht.prox,ve=Tn==null?Qt<=G:Qt>G||sn!=Tn;if(yt||ve){let De=vt[0];De!=null&&(Yn[0]=q,Zn[0]=F,xa(De,j,se,oe),ya(De,ee,V),jt(De,Ct(q),Ct(F),Z,O))}}}if(ye.show&&
on)if(s!=null){let[S,C]=Le.scales,[A,q]=Le.match,[F,j]=s.cursor.sync.scales,se=s.cursor.drag;if(Ne=se._x,We=se._y,Ne||We){let{left:oe,top:ee,width:V,height:G}=s.
select,ve=s.scales[F].ori,De=s.posToVal,Ke,pe,Me,ct,Xe,xt=S!=null&&A(S,F),Mt=C!=null&&q(C,j);xt&&Ne?(ve==0?(Ke=oe,pe=V):(Ke=ee,pe=G),Me=T[S],ct=L(De(Ke,F),Me,v,
0),Xe=L(De(Ke+pe,F),Me,v,0),Ar($t(ct,Xe),Ge(Xe-ct))):Ar(0,v),Mt&&We?(ve==1?(Ke=oe,pe=V):(Ke=ee,pe=G),Me=T[C],ct=K(De(Ke,j),Me,w,0),Xe=K(De(Ke+pe,j),Me,w,0),Lr($t(
ct,Xe),Ge(Xe-ct))):Lr(0,w)}else xl()}else{let S=Ge(ei-Js),C=Ge(ti-Xs);if(E.ori==1){let j=S;S=C,C=j}Ne=Be.x&&S>=Be.dist,We=Be.y&&C>=Be.dist;let A=Be.uni;A!=null?
Ne&&We&&(Ne=S>=A,We=C>=A,!Ne&&!We&&(C>S?We=!0:Ne=!0)):Be.x&&Be.y&&(Ne||We)&&(Ne=We=!0);let q,F;Ne&&(E.ori==0?(q=nr,F=be):(q=rr,F=Te),Ar($t(q,F),Ge(F-q)),We||Lr(
0,w)),We&&(E.ori==1?(q=nr,F=be):(q=rr,F=Te),Lr($t(q,F),Ge(F-q)),Ne||Ar(0,v)),!Ne&&!We&&(Ar(0,0),Lr(0,0))}if(Be._x=Ne,Be._y=We,s==null){if(d){if(mi!=null){let[S,
C]=Le.scales;Le.values[0]=S!=null?Nt(E.ori==0?be:Te,S):null,Le.values[1]=C!=null?Nt(E.ori==1?be:Te,C):null}Or(Ql,r,be,Te,Z,O,m)}if(jn){let S=d&&Le.setSeries,C=Ht.
prox;Tn==null?Qt<=C&&It(sn,lr,!0,S):Qt>C?It(null,lr,!0,S):sn!=Tn&&It(sn,lr,!0,S)}}yt&&(X.idx=m,bl()),c!==!1&&Ve("setCursor")}let an=null;Object.defineProperty(r,
"rect",{get(){return an==null&&qr(!1),an}});function qr(s=!1){s?an=null:(an=k.getBoundingClientRect(),Ve("syncRect",an))}function oi(s,c,d,m,b,v,w){z._lock||on&&
s!=null&&s.movementX==0&&s.movementY==0||(yl(s,c,d,m,b,v,w,!1,s!=null),s!=null?Sn(null,!0,!0):Sn(c,!0,!1))}function yl(s,c,d,m,b,v,w,S,C){if(an==null&&qr(!1),wn(
s),s!=null)d=s.clientX-an.left,m=s.clientY-an.top;else{if(d<0||m<0){be=-10,Te=-10;return}let[A,q]=Le.scales,F=c.cursor.sync,[j,se]=F.values,[oe,ee]=F.scales,[V,
G]=Le.match,ve=c.axes[0].side%2==1,De=E.ori==0?Z:O,Ke=E.ori==1?Z:O,pe=ve?v:b,Me=ve?b:v,ct=ve?m:d,Xe=ve?d:m;if(oe!=null?d=V(A,oe)?a(j,T[A],De,0):-10:d=De*(ct/pe),
ee!=null?m=G(q,ee)?a(se,T[q],Ke,0):-10:m=Ke*(Xe/Me),E.ori==1){let xt=d;d=m,m=xt}}C&&(c==null||c.cursor.event.type==Ql)&&((d<=1||d>=Z-1)&&(d=$n(d,Z)),(m<=1||m>=O-
1)&&(m=$n(m,O))),S?(Js=d,Xs=m,[nr,rr]=z.move(r,d,m)):(be=d,Te=m)}let vl={width:0,height:0,left:0,top:0};function xl(){mo(vl,!1)}let li,si,ii,ai;function ui(s,c,d,m,b,v,w){
on=!0,Ne=We=Be._x=Be._y=!1,yl(s,c,d,m,b,v,w,!0,!1),s!=null&&(Je(Jl,rs,ci,!1),Or(da,r,nr,rr,Z,O,null));let{left:S,top:C,width:A,height:q}=ye;li=S,si=C,ii=A,ai=q}
function ci(s,c,d,m,b,v,w){on=Be._x=Be._y=!1,yl(s,c,d,m,b,v,w,!1,!0);let{left:S,top:C,width:A,height:q}=ye,F=A>0||q>0,j=li!=S||si!=C||ii!=A||ai!=q;if(F&&j&&mo(ye),
Be.setScale&&F&&j){let se=S,oe=A,ee=C,V=q;if(E.ori==1&&(se=C,oe=q,ee=S,V=A),Ne&&ln($,Nt(se,$),Nt(se+oe,$)),We)for(let G in T){let ve=T[G];G!=$&&ve.from==null&&ve.
min!=ge&&ln(G,Nt(ee+V,G),Nt(ee,G))}xl()}else z.lock&&(z._lock=!z._lock,Sn(c,!0,s!=null));s!=null&&(Wn(Jl,rs),Or(Jl,r,be,Te,Z,O,null))}function Cc(s,c,d,m,b,v,w){
if(z._lock)return;wn(s);let S=on;if(on){let C=!0,A=!0,q=10,F,j;E.ori==0?(F=Ne,j=We):(F=We,j=Ne),F&&j&&(C=be<=q||be>=Z-q,A=Te<=q||Te>=O-q),F&&C&&(be=be<nr?0:Z),j&&
A&&(Te=Te<rr?0:O),Sn(null,!0,!0),on=!1}be=-10,Te=-10,de.fill(null),Sn(null,!0,!0),S&&(on=S)}function fi(s,c,d,m,b,v,w){z._lock||(wn(s),rl(),xl(),s!=null&&Or(ga,
r,be,Te,Z,O,null))}function di(){R.forEach(tp),nl(r.width,r.height,!0)}Gn(Fo,_r,di);let sr={};sr.mousedown=ui,sr.mousemove=oi,sr.mouseup=ci,sr.dblclick=fi,sr.setSeries=
(s,c,d,m)=>{let b=Le.match[2];d=b(r,c,d),d!=-1&&It(d,m,!0,!1)},Qe&&(Je(da,k,ui),Je(Ql,k,oi),Je(pa,k,s=>{wn(s),qr(!1)}),Je(ma,k,Cc),Je(ga,k,fi),fs.add(r),r.syncRect=
qr);let go=r.hooks=e.hooks||{};function Ve(s,c,d){ml?Rr.push([s,c,d]):s in go&&go[s].forEach(m=>{m.call(null,r,c,d)})}(e.plugins||[]).forEach(s=>{for(let c in s.
hooks)go[c]=(go[c]||[]).concat(s.hooks[c])});let pi=(s,c,d)=>d,Le=Oe({key:null,setSeries:!1,filters:{pub:Ca,sub:Ca},scales:[$,x[1]?x[1].scale:null],match:[Ea,Ea,
pi],values:[null,null]},z.sync);Le.match.length==2&&Le.match.push(pi),z.sync=Le;let mi=Le.key,wl=ku(mi);function Or(s,c,d,m,b,v,w){Le.filters.pub(s,c,d,m,b,v,w)&&
wl.pub(s,c,d,m,b,v,w)}wl.sub(r);function Ec(s,c,d,m,b,v,w){Le.filters.sub(s,c,d,m,b,v,w)&&sr[s](null,c,d,m,b,v,w)}r.pub=Ec;function Pc(){wl.unsub(r),fs.delete(r),
_n.clear(),ss(Fo,_r,di),g.remove(),ae?.remove(),Ve("destroy")}r.destroy=Pc;function kl(){Ve("init",e,t),Ws(t||e.data,!1),H[$]?gl($,H[$]):rl(),io=ye.show&&(ye.width>
0||ye.height>0),xn=yt=!0,nl(e.width,e.height)}return x.forEach(Is),R.forEach(sc),n?n instanceof HTMLElement?(n.appendChild(g),kl()):n(r,kl):kl(),r}Ue.assign=Oe;
Ue.fmtNum=bs;Ue.rangeNum=zo;Ue.rangeLog=Ho;Ue.rangeAsinh=hs;Ue.orient=Hn;Ue.pxRatio=ie;Ue.join=Kf;Ue.fmtDate=vs,Ue.tzDate=rd;Ue.sync=ku;{Ue.addGap=Gd,Ue.clipGaps=
Wo;let e=Ue.paths={points:Du};e.linear=Ru,e.stepped=Id,e.bars=Nd,e.spline=Vd}var np=200,$u="12px system-ui, sans-serif";function Fu(e,t){return new Ue(op(t),rp(t),e)}function rp(e){let t=e.xs.map(o=>o.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(o=>o.values)];let n=t.map(()=>0),r=e.series.map(o=>o.values.map((l,i)=>n[i]=(n[i]??0)+(l??0)));return[t,...r.map((o,l)=>o.map((i,a)=>e.series[l]?.
values[a]?i:null)).toReversed()]}function op(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:np,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>Ue.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,r,o)=>lp(e,r,o)},y:{range:(n,r,o)=>[0,o>0?o*1.06:1]}},axes:sp(e),series:[{},...t.map(n=>e.kind==="bars"?cp(e,n):up(dr(`var(--series-${n})`)))],hooks:{setSelect:[
n=>fp(n,e)],setCursor:[n=>dp(n,e)]}}}function lp(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Es(e),t+1)]}function Es(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function sp(e){let[t,n]=[dr("var(--muted)"),dr("var(--hairline)")],r={stroke:t,
font:$u,ticks:{show:!1}},o=e.axis??e.format;return[{...r,size:24,gap:6,grid:{show:!1},space:64,values:(l,i)=>ap(i,e)},{...r,gap:8,size:(l,i)=>ip(l,i),grid:{stroke:n,
width:1},space:40,values:(l,i)=>i.map(a=>a===0?"0":o(a))}]}function ip(e,t){e.ctx.save(),e.ctx.font=$u;let n=Math.max(0,...(t??[]).map(r=>e.ctx.measureText(r).width));
return e.ctx.restore(),Math.ceil(n)+16}function ap(e,t){let n=(e[1]??0)-(e[0]??0),r=(l,i)=>new Date(i*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...l}),o=l=>r({day:"numeric",month:"short"},l);return n>=28*86400?e.map(l=>r({month:"short",year:"numeric"},l)):n>=86400?e.map(o):e.map(l=>{let i=r({hour:"2-\
digit",minute:"2-digit"},l);return i==="00:00"?o(l):i})}function up(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function Ps({xs:e,until:t,grain:n},r){
let o=e[r];return o!==void 0&&o.getTime()+Es({xs:e,grain:n})*1e3>t.getTime()}function cp(e,t){let[n,r]=[dr(`var(--series-${t})`),dr(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],o=e.xs.map((l,i)=>Ps(e,i)?r:n);return{fill:n,width:0,points:{show:!1},paths:Ue.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>o}}})}}function fp(e,t){if(e.select.width<8)return;let n=r=>new Date(e.posToVal(r,"x")*1e3);t.onZoom(Ou(n(e.select.left),t),Ou(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function Ou(e,t,n=!1){let r=t.xs.findLastIndex(l=>l<=e);r<0&&(r=0);let o=t.xs[r]??e;return n?t.xs[r+
1]??new Date(o.getTime()+Es(t)*1e3):o}function dp(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let r=t.kind==="bars"?t.xs.findLastIndex(o=>o.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(r<0?null:{index:r,left:n+e.bbox.left/devicePixelRatio+8})}function Ft(e){let{label:t,columns:n,rows:r,id:o,selected:l,onOpen:i}=e,[a,p]=J(()=>_p(e.sorted)),g=bp(r,n,a),_=n.some(f=>f.sum!==void 0);return u("div",{class:"\
scroll",tabIndex:0,role:"region","aria-label":t,children:u("table",{children:[u("thead",{children:u("tr",{children:n.map(f=>u(pp,{column:f,order:a,onOrder:p},f.
key))})}),u("tbody",{children:g.map(f=>u(mp,{row:f,columns:n,selected:l!==void 0&&l===o(f),onOpen:i},o(f)))}),_&&u("tfoot",{children:u("tr",{children:n.map(f=>u(
"td",{class:Bo(f),children:f.sum},f.key))})})]})})}function Bo(e){return e.num?"num":e.wrap?"wrap":void 0}function pp({column:e,order:t,onOrder:n}){let r=t?.key===
e.key?t:null;if(!e.sort)return u("th",{scope:"col",class:Bo(e),title:e.hint,children:e.title});let o={key:e.key,down:r?!r.down:e.num===!0};return u("th",{scope:"\
col",class:Bo(e),title:e.hint,"aria-sort":r?r.down?"descending":"ascending":"none",children:u("button",{type:"button",onClick:()=>n(o),children:[r&&u("span",{"a\
ria-hidden":"true",children:r.down?"↓":"↑"}),u("span",{children:e.title})]})})}function mp({row:e,columns:t,selected:n,onOpen:r}){let o=t.map(l=>u("td",{class:Bo(
l),children:l.cell(e)},l.key));return r?u("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:l=>gp(l)&&r(e),onKeyDown:l=>hp(l,()=>r(e)),children:o}):u("tr",
{children:o})}function gp(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function hp(e,t){let n=e.
currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let r=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:null;
if(e.key==="Enter")t();else if(r instanceof HTMLElement)r.focus();else return;e.preventDefault()}function _p(e){return e===void 0?null:e.startsWith("-")?{key:e.
slice(1),down:!0}:{key:e,down:!1}}function bp(e,t,n){let r=t.find(l=>l.key===n?.key)?.sort;if(!r||!n)return e;let o=n.down?-1:1;return e.toSorted((l,i)=>{let[a,
p]=[r(l),r(i)];return o*(typeof a=="string"?a.localeCompare(String(p)):a-Number(p))})}function Yo({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return u(
"svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[u("rect",{width:"96",height:"8",rx:"1"}),u("rect",{width:n,height:"8",rx:"1"})]})}function ro(e){let[t,n]=J(!1),{zone:r}=fe();return u("section",{class:"panel","aria-label":e.title,children:[u("header",{children:[u("h2",{children:e.title}),u(
"span",{class:"muted small",children:r}),u("div",{class:"rest",children:[e.tools,u("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":
"Table"})]})]}),e.note,t?u(yp,{...e,zone:r}):u(vp,{...e,zone:r})]})}function no(e,{grain:t,zone:n}){return t==="hour"?`${Eo(e,n)} ${dn(e,n)}`:t==="day"?Eo(e,n):
e.toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function yp(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Mon\
th",cell:n=>no(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:r=>zu(n.values[r],e),sort:r=>n.values[r]??
-1});return u(Ft,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,r)=>r),id:String,sorted:"-at"})}function zu(e,{format:t}){return e==null?"–":t(e)}function vp(e){
let{series:t,onPick:n}=e,r=To(()=>ea(t.map(o=>o.name)).map((o,l)=>t[l]?.slot??o),[t]);return u(me,{children:[u("div",{class:"legend",children:t.map((o,l)=>n&&o.
name!==fr?u("button",{title:`Only ${o.label??o.name}`,type:"button",onClick:()=>n?.(o.name),children:[u(Ds,{slot:r[l]??8}),o.label??o.name]},o.name):u("span",{children:[
u(Ds,{slot:r[l]??8}),o.label??o.name]},o.name))}),u(xp,{...e,slots:r})]})}function Ds({slot:e}){return u("i",{style:{background:`var(--series-${e})`}})}function xp(e){
let t=At(null),[n,r]=J(null),[o,l]=J(0);return Se(()=>{let i=()=>l(a=>a+1);return Br.addEventListener("scheme",i),()=>Br.removeEventListener("scheme",i)},[]),Se(
()=>{let i=t.current;if(!i)return;let a={...e,width:i.clientWidth-16,onPoint:r,onZoom:wp},p=Fu(i,a),g=new ResizeObserver(()=>p.setSize({width:i.clientWidth-16,height:p.
height}));return g.observe(i),()=>{g.disconnect(),p.destroy()}},[e.xs,e.series,e.kind,e.zone,o]),u("div",{class:"plot",ref:t,role:"img","aria-label":Tp(e),children:n&&
u(kp,{...e,...n})})}function wp(e,t){Pe({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function kp(e){let{series:t,slots:n,
index:r,left:o,xs:l,kind:i}=e,a=t.map((f,y)=>({one:f,slot:n[y]??8,value:f.values[r]??null})).filter(({value:f})=>f!==null&&(i==="lines"||f!==0)),p=l[r];if(!p)return null;
let g=a.reduce((f,{value:y})=>f+(y??0),0),_=o>320;return u("div",{class:"tip","aria-hidden":"true",style:_?{right:`calc(100% - ${o-12}px)`}:{left:`${o+12}px`},children:[
u("div",{children:[u("strong",{children:no(p,e)}),i==="bars"&&u("b",{children:e.format(g)})]}),a.map(({one:f,slot:y,value:h})=>u("div",{children:[u(Ds,{slot:y}),
f.label??f.name,u("b",{children:zu(h,e)})]},f.name)),Ps(e,r)&&u("div",{class:"muted",children:"not over yet"})]})}function Tp(e){let{title:t,xs:n,series:r,kind:o}=e,
[l,i]=[n[0],n[n.length-1]];if(!l||!i)return`${t}: nothing`;let a=n.map((g,_)=>o==="bars"?r.reduce((f,y)=>f+(y.values[_]??0),0):Math.max(0,...r.map(f=>f.values[_]??
0))),p=a.indexOf(Math.max(...a));return`${t}, ${no(l,e)} to ${no(i,e)}, highest ${e.format(a[p]??0)} on ${no(n[p]??i,e)}`}function zt({of:e,empty:t,isEmpty:n,children:r}){let{data:o,error:l,loading:i}=e;if(o===null)return l?u(oo,{error:l,retry:e.reload}):u(Zo,{shown:i});let a=t!==void 0&&
n?.(o)===!0;return u(me,{children:[l&&u(Sp,{of:e,error:l}),i&&u(Zo,{shown:!0}),u("div",{class:i?"old":void 0,children:a?u("div",{class:"state",children:t}):r(o)})]})}
function Zo({shown:e}){return e?u("div",{role:"status",children:[u("div",{class:"loading"}),u("span",{class:"unseen",children:"Loading"})]}):null}function Sp({of:e,
error:t}){let{zone:n}=fe();return u("div",{class:"row state small",role:"status",children:[u("span",{class:"warn",children:["Could not refresh",e.at?`: this is \
from ${dn(e.at,n)}`:"","."]}),u("span",{children:t.message}),u("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function oo({error:e,retry:t}){
return u("div",{class:"state",role:"alert",children:[u("strong",{children:Cp(e)}),u("span",{children:e.message}),e.status>=500&&u("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&u("button",{onClick:t,children:"Try again"})]})}function Cp({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function Gu({children:e}){return u("dl",{class:"panel tiles",children:e})}function Sr({label:e,figure:t,hint:n,tone:r="",children:o}){return u("div",{class:"til\
e",children:[u("dt",{children:e}),u("dd",{class:`figure ${r}`,title:n,children:t}),u("dd",{class:"note",children:o})]})}function Uu(){let{params:e}=pt(),t={period:Jt(e),team:e.get("team")??""},n=Ae("GET /admin/v1/usage",{query:{by:"model",...Cr(t)}});return u(mr,{title:"Overview",
period:!0,team:!0,of:n,children:[u(Ep,{about:t,totals:n}),u(Mp,{}),u(Lp,{about:t,by:e.get("by")??"model"}),t.team===""&&u(Op,{about:t}),u($p,{about:t})]})}function Cr({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function Bt(e,t){return e.reduce((n,r)=>n+t(r),0)}function Ep({about:e,totals:t}){
let{zone:n}=fe(),r=Ae("GET /admin/v1/usage",{query:{by:"model",...Cr({...e,period:Po(e.period,n)})}}),o=Ae("GET /admin/v1/latency",{query:{by:"all",...Cr({...e,
team:""})}}),l=Ae("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),i=r.data?Bt(r.data.data,a=>a.cost_nanodollars):0;return u("section",{"a\
ria-label":"Figures",children:u(zt,{of:t,children:({data:a})=>{let p=Bt(a,h=>h.cost_nanodollars),g=Bt(a,h=>h.input_tokens+h.output_tokens),_=Bt(a,h=>h.attempts),
f=o.data?.data[0],y=Pp((l.data?.data??[]).map(h=>h.own_us));return u(Gu,{children:[u(Sr,{label:"Cost",figure:kt(p),hint:st(p),children:Ur(p,i)?`${Ur(p,i)} on th\
e span before`:"nothing in the span before"}),u(Sr,{label:"Requests",figure:Ce(Bt(a,h=>h.requests)),children:e.team?Tt(_,"call"):`${Ln(f?.failed??0,f?.calls??0)}\
 of ${Tt(f?.calls??0,"call")} failed`}),u(Sr,{label:"Tokens",figure:An(g),hint:Ce(g),children:[Ln(Bt(a,h=>h.cache_read_tokens),Bt(a,h=>h.input_tokens))," of pro\
mpts from caches"]}),u(Sr,{label:"First token, p95",figure:it(f?.first.p95_us??null),children:y===null?"no requests yet":`Weir’s own part ${it(y)}`}),u(Dp,{rows:a})]})}})})}
function Pp(e){let t=e.toSorted((n,r)=>n-r);return t[Math.floor(t.length/2)]??null}function Dp({rows:e}){let[t,n,r]=[Bt(e,l=>l.orphaned),Bt(e,l=>l.in_doubt),Bt(
e,l=>l.estimated)],o=t+n;return u(Sr,{label:"Ledger",figure:o===0?"Complete":Tt(o,"open row"),tone:o===0?"":"warn",children:[Tt(r,"estimated row"),o>0&&`, ${Ce(
t)} orphaned, ${Ce(n)} in doubt`]})}function Mp(){let{zone:e}=fe(),t=Ae("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Rp));return n.size===0?null:
u("section",{class:"stack","aria-label":"Troubles",children:[...n].map(([r,o])=>u("div",{class:"panel alert",children:[u("span",{class:"mono",children:r}),u("sp\
an",{class:"warn",children:["breaker ",o.breaker,o.open_until?` until ${dn(new Date(o.open_until),e)}`:""]}),u("a",{href:Ye("/providers"),children:"Providers"})]},
r))})}function Rp(e){return e.targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var Ap=["model","team","key","provider"];function Lp({about:e,
by:t}){let{zone:n}=fe(),r=Wr(e.period,n),o={query:{by:`${t},${r}`,...Cr(e)}},l=Ae("GET /admin/v1/usage",o),i=u(me,{children:[u(Ro,{label:"Divide by",value:t,options:Ap.
map(a=>({value:a,label:a})),onChange:a=>Pe({by:a==="model"?null:a})}),u(Lt,{list:!0,route:"GET /admin/v1/usage",asked:o,command:`weir usage --by ${t},${r} --sin\
ce ${e.period.since}`})]});return u(zt,{of:l,children:({data:a,since:p,until:g})=>{let _=Vr(new Date(p),new Date(g),r,n),f=Do({rows:a,xs:_,zone:n,group:y=>On(y,
t),value:y=>y.cost_nanodollars});return u(ro,{title:`Cost per ${r}, by ${t}`,kind:"bars",grain:r,xs:_,until:new Date,series:f,format:kt,axis:Co,tools:i,onPick:y=>Pe(
qp(t,y))})}})}function qp(e,t){return e==="team"?{team:t}:{[e]:t}}function Op({about:e}){let{zone:t}=fe(),n=Wr(e.period,t)==="hour"?"hour":"day",r={query:{by:n,
...Cr({...e,team:""})}},o=Ae("GET /admin/v1/latency",r);return u(zt,{of:o,children:({data:l,since:i,until:a})=>{let p=Vr(new Date(i),new Date(a),n,t);return u(ro,
{title:`Time of calls per ${n}`,kind:"lines",grain:n,xs:p,until:new Date,series:ta(l,p,"took"),format:it,axis:Yi,tools:u(Lt,{list:!0,route:"GET /admin/v1/latenc\
y",asked:r})})}})}function $p({about:e}){let{zone:t}=fe(),n={query:{by:"key",top:50,...Cr(e)}},r=Ae("GET /admin/v1/usage",n);return u("section",{class:"panel","\
aria-label":"Keys by cost",children:[u("header",{children:[u("h2",{children:"Keys by cost"}),u("span",{class:"muted small",children:cr(e.period,t)}),u("div",{class:"\
rest",children:u(Lt,{list:!0,route:"GET /admin/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),u(zt,{of:r,isEmpty:({data:o})=>o.
length===0,empty:u(Ms,{}),children:({data:o})=>u(Ft,{label:"Keys by cost",columns:Fp(o),rows:o,id:l=>l.key??"",sorted:"-cost"})})]})}function Fp(e){let t=Math.max(
0,...e.map(n=>n.cost_nanodollars));return[{key:"key",title:"Key",cell:n=>u("a",{href:Ye("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.
key||""},{key:"cost",title:"Cost",num:!0,cell:n=>u("span",{title:st(n.cost_nanodollars),children:kt(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"shar\
e",title:"",cell:n=>u(Yo,{part:n.cost_nanodollars,whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>Ce(n.requests),sort:n=>n.requests},{key:"input",title:"\
Tokens in",num:!0,cell:n=>Ce(n.input_tokens),sort:n=>n.input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>Ce(n.output_tokens),sort:n=>n.output_tokens},
{key:"cached",title:"From caches",num:!0,cell:n=>Ln(n.cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function Ms(){
return u(me,{children:[u("strong",{children:"No request in this span"}),u("span",{children:"Make a key and call a model with it:"}),u("pre",{class:"code",children:`\
weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}var Hu={rows:null,next:null,searched:null,loading:!0,error:null};function Iu(e,t){let n=JSON.stringify(t),[r,o]=J(Hu),l=At(null),i=ir((a,p)=>{l.current?.abort();
let{signal:g}=l.current=new AbortController;o(f=>({...f,loading:!0,error:null}));let _={...JSON.parse(n),...a!==null&&{cursor:a}};Fl("GET",ar(e,{query:_}),void 0,
g).then(f=>o(zp(p,f))).catch(f=>{g.aborted||o(y=>({...y,loading:!1,error:Rn(f)}))})},[e,n]);return Se(()=>(o(Hu),i(null,[]),()=>l.current?.abort()),[i]),{...r,more:()=>i(
r.next,r.rows??[])}}function zp(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}function Nu({title:e,onClose:t,aside:n,children:r}){let o=At(null);return Se(()=>{o.current?.showModal()},[]),u("dialog",{ref:o,class:n?"aside":void 0,"aria-lab\
el":e,onClose:t,onClick:l=>l.target===o.current&&o.current?.close(),children:u("div",{class:"dialog",children:[u("div",{class:"row",children:[u("h2",{children:e}),
u("button",{class:"quiet rest",onClick:()=>o.current?.close(),children:"Close"})]}),r]})})}function Wu(e){return[{key:"started",title:"Time",cell:t=>u(Rs,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>u(Ls,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>u(Qo,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>it(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>it(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${Ce(t.input_tokens)} → ${Ce(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider \
did not say"},{key:"cost",title:"Cost",num:!0,cell:t=>u(As,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Rs({at:e,zone:t}){let n=new Date(
e);return u("time",{dateTime:e,title:Xi(n),children:Ji(n,t)})}function As({nanodollars:e}){return u("span",{title:st(e),children:kt(e,4)})}function Ls({provider:e,
upstream:t}){return u("span",{class:"mono",children:[e,"/",t]})}function Qo({status:e,outcome:t,attempts:n=1}){let r=e==="ok"?"good":e==="failed"?"bad":"warn",o=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return u("span",{children:[u("span",{class:r,children:o}),n>1&&u("span",{class:"muted",children:[" ",n," tries"]})]})}function Vu({id:e,onClose:t}){let n={path:{request:e}},r=Ae("GET /admin/v1/requests/{request}",n);return u(Nu,{aside:!0,title:"Request",onClose:t,children:[u("d\
iv",{class:"row",children:[u("span",{class:"mono",children:e}),u(pr,{text:e,label:"Copy id"}),u(Lt,{route:"GET /admin/v1/requests/{request}",asked:n,command:`we\
ir requests ${Xt(e)}`})]}),u(zt,{of:r,children:o=>u(Gp,{request:o})})]})}function Gp({request:e}){let t=e.trail.filter(r=>r.adjusts===null),n=e.trail.filter(r=>r.
adjusts!==null);return u("div",{class:"stack",children:[u(Up,{request:e}),u("section",{class:"stack","aria-label":"Calls",children:[u("h3",{children:[Tt(t.length,
"call")," in ",Tt(e.attempts,"attempt")]}),t.map(r=>u(Hp,{call:r,request:e},r.seq))]}),n.length>0&&u(Vp,{calls:n}),u(Kp,{request:e})]})}function Up({request:e}){
let{zone:t}=fe(),n=[["Status",u(Qo,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",u(Rs,{at:e.started,zone:t})],["Key",u("a",{href:Ye("/reque\
sts",{key:e.key}),children:e.key_name||e.key})],["Model",u("a",{href:Ye("/requests",{model:e.model}),children:e.model})],["Took",it(e.took_us)+(e.first_us===null?
"":`, first token after ${it(e.first_us)}`)],["Weir’s own part",it(e.own_us)],["Tokens",`${Ce(e.input_tokens)} in, ${Ce(e.output_tokens)} out${e.estimated?", \
counted by Weir in part":""}`],["Cost",st(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",u("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(Jo).join(", ")]),u("dl",{class:"pairs",children:n.map(([r,o])=>[
u("dt",{children:r}),u("dd",{children:o})])})}function Jo(e){return e.replaceAll("_"," ")}function Hp({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return u("div",{class:"panel",children:[u("header",{children:[u("span",{class:"muted",children:e.try}),u(Ls,{...e}),u("div",{class:"re\
st wide",children:[u(Qo,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),u(As,{nanodollars:e.cost_nanodollars})]})]}),u("div",{class:"body stack",children:[
u(Np,{after:n,call:e,whole:t.took_us}),u("p",{class:"small muted",children:[e.call>0&&`after ${it(n)}, `,"took ",it(e.took_us),e.first_us!==null&&`, first token\
 ${it(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(Jo).join(", ")}`,`, tokens ${Ip[e.source]}`]}),u(Wp,{call:e}),e.upstream_id!==
null&&u("p",{class:"small",children:[u("span",{class:"muted",children:"The provider calls it "}),u("span",{class:"mono",children:e.upstream_id}),u(pr,{text:e.upstream_id})]})]})]})}
var Ip={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function Np({after:e,call:t,whole:n}){let r=a=>n>
0?Math.min(Math.max(a,0),n)/n*400:0,[o,l]=[r(e),r(e+t.took_us)],i=t.first_us===null?l:r(e+t.first_us);return u("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[u("rect",{width:"400",height:"8",class:"rail"}),u("rect",{x:o,width:Math.max(i-o,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),u("rect",{x:i,width:Math.max(l-i,0),height:"8",class:"flow"})]})}function Wp({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:u("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>Jo(n.class)},{key:"units",title:"Units",num:!0,cell:n=>Ce(n.units)},{key:"price",title:"Each mi\
llion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":st(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>st(n.units*n.price/1e3),sum:st(e.listed_nanodollars)}];
return u(me,{children:[u(Ft,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&u("p",{class:"small muted",children:[
"by the price ",u("span",{class:"mono",children:e.price})]})]})}function Vp({calls:e}){let{zone:t}=fe();return u("section",{class:"stack","aria-label":"Correcti\
ons",children:[u("h3",{children:"Corrections"}),e.map(n=>u("p",{children:[ur(new Date(n.started),t),": ",st(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function Kp({
request:e}){let[t,n]=J(!1),r={query:{model:e.model,key:e.key}},o=Ae("GET /admin/v1/explain",t?r:null);return u("section",{class:"stack","aria-label":"Explained \
again",children:[u("div",{class:"row",children:[u("h3",{children:"What would it meet now?"}),u("button",{onClick:()=>t?o.reload():n(!0),children:"Explain again \
now"}),u(pr,{text:`weir explain ${Xt(e.model)} --key ${Xt(e.key_name||e.key)}`,label:"Copy command"})]}),t&&u(zt,{of:o,children:l=>u(jp,{explanation:l})})]})}function jp({
explanation:e}){let t=e.plans.flatMap(r=>r.targets.map(o=>({...o,route:r.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:r=>r.turn??"–"},{key:"target",title:"\
Target",cell:r=>u("span",{class:"mono",children:r.target})},{key:"model",title:"For",cell:r=>r.route},{key:"skip",title:"",wrap:!0,cell:r=>r.skip===null?r.breaker===
"closed"?"":u("span",{class:"warn",children:["breaker ",r.breaker]}):u("span",{class:"warn",children:["skipped: ",r.barred??Jo(r.skip)]})}];return u(me,{children:[
e.refused!==null&&u("p",{class:"bad",children:["It would be refused: ",e.refused]}),u(Ft,{label:"Targets in the order of trying",columns:n,rows:t,id:r=>r.route+
r.target})]})}var qs=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function Ku(){let{params:e}=pt(),t=e.get("request"),n=Jt(e),r=Bp(e,{since:n.since,...n.until&&{until:n.until}});return u(mr,{
title:"Requests",period:!0,team:!0,children:[u(Zp,{},e.toString()),u(Jp,{query:r,opened:t}),t!==null&&u(Vu,{id:t,onClose:()=>Pe({request:null})},t)]})}function Bp(e,t){
let n={...t};for(let[o]of qs){let l=e.get(o);l&&(n[o]=l)}let r=Number(e.get("dearer"));return r>0&&(n.min_cost_nanodollars=Math.round(r*1e9)),n}function Yp(e){let t=qs.
filter(([n])=>e[n]!==void 0).map(([n,r])=>`--${r} ${Xt(String(e[n]))}`);e.min_cost_nanodollars&&t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of[
"since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function Zp(){let{params:e}=pt(),{models:t,providers:n}=fe(),r=Ae("GET /a\
dmin/v1/keys",{query:{limit:1e3}}),o=[...qs.map(([h])=>h),"dearer"].filter(h=>h!=="team"),[l,i]=J(()=>Object.fromEntries(o.map(h=>[h,e.get(h)??""]))),[a,p]=J(""),
g=o.some(h=>e.get(h)),_=h=>k=>i({...l,[h]:k}),f=(h={})=>Pe({...l,...h,...a.trim()&&{request:a.trim()}}),y=(h,k,D,P={})=>u(mn,{label:k,value:l[h]??"",onInput:_(h),
size:D,...P});return u("form",{class:"filters many",onSubmit:h=>{h.preventDefault(),f()},onChange:h=>h.target instanceof HTMLInputElement&&f(),children:[y("key",
"Key",12,{list:(r.data?.data??[]).map(h=>h.name)}),y("model","Model",10,{list:t}),y("provider","Provider",10,{list:n}),u(Kt,{label:"Status",value:l.status??"",options:[
"","ok","failed","canceled"].map(h=>({value:h,label:h||"any"})),onChange:h=>f({status:h})}),y("outcome","Outcome",10,{list:Qp}),y("min_took","Slower than",7,{placeholder:"\
10s"}),y("dearer","Dearer than, $",7,{placeholder:"0.05"}),y("tag","Tag",10,{placeholder:"name=value"}),u(mn,{label:"Id",value:a,onInput:p,size:12,placeholder:"\
req_…"}),u("button",{class:"unseen",type:"submit",children:"Find"}),g&&u("button",{type:"button",class:"quiet",onClick:()=>Pe(Object.fromEntries(o.map(h=>[h,null]))),
children:"Clear"})]})}var Qp=["ok","unreachable","timeout","failed","malformed","overloaded","rate_limited","credential","denied","misconfigured","model_not_fou\
nd","too_long","refused","moderated","canceled","lost","budget"];function Jp({query:e,opened:t}){let{zone:n}=fe(),r=Iu("GET /admin/v1/requests",e),{rows:o,loading:l,
error:i,searched:a,next:p}=r;return u("section",{class:"panel","aria-label":"Requests found",children:[u("header",{children:[u("h2",{children:o===null?"Requests":
`${Tt(o.length,"request")}${p===null?"":" so far"}`}),u("span",{class:"muted small",children:n}),u("div",{class:"rest",children:u(Lt,{list:!0,route:"GET /admin/\
v1/requests",asked:{query:{...e,limit:1e3}},command:Yp(e)})})]}),u(Zo,{shown:l}),o!==null&&o.length>0&&u(Ft,{label:"Requests",columns:Wu(n),rows:o,id:g=>g.request,
selected:t,onOpen:g=>Pe({request:g.request})}),i&&u(oo,{error:i,retry:r.more}),o!==null&&!i&&u("div",{class:"state small",children:[o.length===0&&p===null&&u("s\
trong",{children:"No request is like this"}),u("div",{class:"row",children:[u("span",{children:a?`Searched back to ${ur(a,n)}.`:"That is all there is in this pe\
riod."}),p!==null&&u("button",{disabled:l,onClick:r.more,children:"Search further back"})]})]})]})}var Fs=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:kt,axis:Co},{name:"requests",title:"Requests",of:e=>e.requests,format:Ce,axis:An},{name:"token\
s",title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:Ce,axis:An},{name:"calls",title:"Calls",of:e=>e.attempts,format:Ce,axis:An}],Xo=["model","team","k\
ey","provider","tag"],Os=500;function ju(){let{zone:e}=fe(),t=Xp(pt().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...Gs(t)}},r=Ae("GET /admin\
/v1/usage",n);return u(mr,{title:"Usage",period:!0,team:!0,of:r,children:[u(em,{question:t}),u(tm,{question:t}),u("section",{class:"panel","aria-label":"Sums",children:[
u("header",{children:[u("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),u("span",{class:"muted small",children:cr(t.period,e)}),u("div",{
class:"rest",children:u(Lt,{list:!0,route:"GET /admin/v1/usage",asked:n,command:Bu(n.query)})})]}),u(zt,{of:r,isEmpty:({data:o})=>o.length===0,empty:u(Ms,{}),children:({
data:o})=>u(nm,{rows:o,question:t})})]})]})}function Xp(e,t){let n=Jt(e),r=Xo.find(p=>p===e.get("by"))??"model",o=Xo.find(p=>p===e.get("then")&&p!==r)??"",l=Wr(
n,t),i=["hour","day","month"].find(p=>p===e.get("grain"))??(r==="tag"&&l==="hour"?"day":l),a={};for(let p of["key","team","model"]){let g=e.get(p);g&&(a[p]=g)}return{
by:r,then:o,grain:i,period:n,filters:a,metric:Fs.find(p=>p.name===e.get("metric"))??Fs[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function Gs({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function Bu(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${Xt(n)}`)].
join(" ")}function $s(e){return e.map(t=>({value:t,label:t||"–"}))}function em({question:e}){let{by:t,then:n,metric:r,grain:o,filters:l}=e,i=["",...Xo].filter(
a=>a!==t&&(t!=="tag"||a===""||a==="key")&&(a!=="tag"||t==="key"));return u("div",{class:"filters",children:[u(Kt,{label:"Group by",value:t,options:$s(Xo),onChange:a=>Pe(
{by:a,then:null})}),u(Kt,{label:"then by",value:n,options:$s(i),onChange:a=>Pe({then:a})}),u(Kt,{label:"Figure",value:r.name,options:Fs.map(a=>({value:a.name,label:a.
title})),onChange:a=>Pe({metric:a==="cost"?null:a})}),u(Kt,{label:"Per",value:o,options:$s(t==="tag"?["day","month"]:["hour","day","month"]),onChange:a=>Pe({grain:a})}),
u(jl,{label:"Compare with the span before",checked:e.compare,onChange:a=>Pe({compare:a?"1":null})}),u(jl,{label:"Classes of tokens",checked:e.classes,onChange:a=>Pe(
{classes:a?"1":null})}),["key","model"].map(a=>l[a]!==void 0&&u("button",{type:"button",onClick:()=>Pe({[a]:null}),title:"Take this filter out",children:[a,": ",
l[a]," ✕"]},a))]})}function tm({question:e}){let{zone:t}=fe(),{by:n,grain:r,metric:o}=e,l={query:{by:`${n},${r}`,...Gs(e)}},i=Ae("GET /admin/v1/usage",l);return u(
zt,{of:i,children:({data:a,since:p,until:g})=>{let _=Vr(new Date(p),new Date(g),r,t),f=Do({rows:a,xs:_,zone:t,group:y=>On(y,n),value:o.of});return u(ro,{title:`${o.
title} per ${r}, by ${n}`,kind:"bars",grain:r,xs:_,until:new Date,series:f,format:o.format,axis:o.axis,tools:u(Lt,{list:!0,route:"GET /admin/v1/usage",asked:l,command:Bu(
l.query)}),...Yu(n)&&{onPick:y=>Pe({[n]:y})}})}})}function Yu(e){return e==="key"||e==="team"||e==="model"}function nm({rows:e,question:t}){let{zone:n}=fe(),{by:r,
then:o,period:l,compare:i,metric:a}=t,p=Ae("GET /admin/v1/usage",i?{query:{by:[r,o].filter(Boolean).join(","),...Gs({...t,period:Po(l,n)})}}:null),g=i?new Map((p.
data?.data??[]).map(f=>[zs(f,t),f])):null,_=e.toSorted((f,y)=>a.of(y)-a.of(f)).slice(0,Os);return u(me,{children:[u(Ft,{label:"Sums",columns:rm(t,e,g),rows:_,id:f=>zs(
f,t),sorted:`-${a.name}`},`${r}.${o}.${a.name}`),e.length>Os&&u("p",{class:"state small",children:["The first ",Ce(Os)," of ",Tt(e.length,"line"),". The CSV has\
 all."]})]})}function zs(e,{by:t,then:n}){return JSON.stringify([t,n].map(r=>r===""?"":e[r]))}function rm(e,t,n){let{by:r,then:o,metric:l,classes:i}=e,a=f=>t.reduce(
(y,h)=>y+f(h),0),p=Math.max(0,...t.map(l.of)),g=(f,y,h)=>({key:f,title:y,num:!0,cell:k=>Ce(h(k)),sort:h,sum:Ce(a(h))}),_=[r,o].filter(Boolean).map((f,y)=>om(f,y===
0));return _.push({key:"cost",title:"Cost",num:!0,cell:f=>u("span",{title:st(f.cost_nanodollars),children:[f.estimated>0&&"~ ",kt(f.cost_nanodollars)]}),sort:f=>f.
cost_nanodollars,sum:u("span",{title:st(a(f=>f.cost_nanodollars)),children:[a(f=>f.estimated)>0&&"~ ",kt(a(f=>f.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"",cell:f=>u(Yo,{part:l.of(f),whole:p})}),n&&_.push(sm(e,n)),_.push(g("requests","Requests",f=>f.requests),g("calls","\
Calls",f=>f.attempts),g("tokens","Tokens",f=>f.input_tokens+f.output_tokens)),i?_.push(g("fresh","Fresh",f=>f.input_tokens-f.cache_read_tokens-f.cache_write_tokens),
g("read","From caches",f=>f.cache_read_tokens),g("write","Into caches",f=>f.cache_write_tokens),g("output","Output",f=>f.output_tokens),g("reasoning","of it rea\
soning",f=>f.reasoning_tokens)):_.push({key:"cached",title:"From caches",num:!0,cell:f=>Ln(f.cache_read_tokens,f.input_tokens),sort:f=>f.input_tokens?f.cache_read_tokens/
f.input_tokens:0,sum:Ln(a(f=>f.cache_read_tokens),a(f=>f.input_tokens))}),_}function om(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:r=>u(
"a",{href:lm(r,e),children:On(r,e)}),sort:r=>On(r,e),...t&&{sum:"All"}}}function lm(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":On(e,t);return Yu(t)&&n!==
""?na({[t]:n}):Ye("/requests",{[t]:n})}function sm({metric:e,...t},n){let r=o=>{let l=n.get(zs(o,{metric:e,...t}));return l?e.of(l):0};return{key:"before",title:"\
Span before",num:!0,cell:o=>u("span",{title:Ur(e.of(o),r(o)),children:e.format(r(o))}),sort:r,sum:e.format([...n.values()].reduce((o,l)=>o+e.of(l),0))}}var Er=[{path:"/",title:"Overview",group:"",page:Uu},{path:"/usage",title:"Usage",group:"",page:ju},{path:"/requests",title:"Requests",group:"",page:Ku}];var im=12;function Zu(){let[e,t]=J(""),[n,r]=J(!1),[o,l]=J(0),i=At(null),a=am(e.trim(),n);um(i);let p=f=>{f&&(r(!1),t(""),i.current?.blur(),Mo(f.href))},g=f=>{if(f.
key==="ArrowDown")l(Math.min(o+1,a.length-1));else if(f.key==="ArrowUp")l(Math.max(o-1,0));else if(f.key==="Enter")p(a[o]);else if(f.key==="Escape")r(!1);else return;
f.preventDefault()},_=n&&a.length>0;return u("div",{class:"search",role:"search",children:[u("input",{ref:i,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":_,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":_?`hit-${o}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:f=>{t(f.currentTarget.value),r(!0),l(0)},onFocus:()=>r(!0),onBlur:()=>r(!1),onKeyDown:g}),u("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!_,children:a.map((f,y)=>u("li",{id:`hit-${y}`,role:"option","aria-selected":y===o,onMouseDown:h=>{h.preventDefault(),p(f)},children:[
u("span",{children:f.name}),u("span",{class:"muted small",children:f.kind})]},f.href))})]})}function am(e,t){let{models:n}=fe(),r=Ae("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:Ye("/requests",{request:e})}];let o=i=>i.toLowerCase().includes(e.toLowerCase()),
l=n.filter(o).map(i=>({kind:"model",name:i,href:Ye("/requests",{model:i})}));for(let i of r.data?.data??[])(o(i.name)||i.id===e)&&l.push({kind:"key",name:i.name,
href:Ye("/requests",{key:i.id})});return l.slice(0,im)}function um(e){Se(()=>{let t=n=>{let r=n.target instanceof HTMLElement&&n.target.matches("input, textarea\
, select");n.key!=="/"||r||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function el(){return u("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[u("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),u("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function Qu({onLeave:e}){let{path:t}=pt(),[n,r]=J(!1);Se(()=>r(!1),[t]);let o=Er.find(i=>i.path===t),l=()=>{Ki().finally(e)};return u(me,{children:[u(
"a",{class:"skip",href:"#page",children:"To the page"}),u("div",{class:"shell",children:[u("div",{class:"bar",children:[u("a",{class:"brand",href:Ye("/"),children:[
u(el,{}),"Weir"]}),u("button",{class:"rest","aria-expanded":n,onClick:()=>r(!n),children:"Menu"})]}),u(fm,{shown:n,path:t}),u("div",{class:"content",children:[u(
cm,{onLeave:l}),u("main",{id:"page",tabIndex:-1,children:o?u(o.page,{}):u(pm,{})})]})]})]})}function cm({onLeave:e}){let{session:t,zone:n}=fe();return t.expires===
null?null:u("div",{class:"banner",role:"note",children:[u("span",{children:["Signed in with the admin token, until ",dn(new Date(t.expires),n),"."]}),u("button",
{class:"quiet",onClick:e,children:"Sign out"})]})}function fm({shown:e,path:t}){let n=[...new Set(Er.map(r=>r.group))];return u("div",{class:e?"side shown":"sid\
e",children:[u("a",{class:"brand",href:Ye("/"),children:[u(el,{}),"Weir"]}),u(Zu,{}),u("nav",{"aria-label":"Pages",children:n.map(r=>u("div",{children:[r!==""&&
u("p",{children:r}),Er.filter(o=>o.group===r).map(o=>u("a",{href:Ye(o.path),"aria-current":o.path===t?"page":void 0,children:o.title},o.path))]},r))}),u("div",{
class:"foot",children:u(dm,{})})]})}function dm(){let[e,t]=J(Ao),n=r=>{let o=ia.find(l=>l===r)??"system";aa(o),t(o)};return Se(()=>jr(e),[]),u(Ro,{label:"Colour\
 scheme",value:e,options:[{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}function pm(){return u(me,{children:[
u("h1",{children:"There is no such page"}),u("p",{children:u("a",{href:Ye("/"),children:"Overview"})})]})}function Ju({onSession:e}){let[t,n]=J(""),[r,o]=J(!1),[l,i]=J(null);return Se(()=>{document.title="Sign in · Weir"},[]),u("main",{class:"login",children:[u("h1",
{class:"row",children:[u(el,{}),"Weir"]}),u("form",{onSubmit:p=>{p.preventDefault(),o(!0),Vi(t.trim()).then(e,g=>i(Rn(g))).finally(()=>o(!1))},children:[u(mn,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:l?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),u("div",{class:"row",children:u("button",{class:"primary",disabled:r||t.trim()==="",children:"Sign in"})})]})]})}function mm(){let[e,t]=J({is:"asking"}),n=ir(r=>{r.then(gm).then(o=>t({is:"in",known:o}),o=>{let l=Rn(o);t(l.status===401?{is:"out"}:{is:"failed",error:l})})},[]);
switch(Se(()=>{let r=()=>t({is:"out"});return So.addEventListener("ended",r),n(Ul()),()=>So.removeEventListener("ended",r)},[]),e.is){case"asking":return null;case"\
out":return u(Ju,{onSession:r=>n(Promise.resolve(r))});case"failed":return u("main",{class:"login",children:u(oo,{error:e.error,retry:()=>n(Ul())})});case"in":return u(
Gl.Provider,{value:e.known,children:u(Qu,{onLeave:()=>t({is:"out"})})})}}async function gm(e){let t=await fn("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers}}jr(Ao());ra(Er.map(e=>e.path));Pi(u(mm,{}),document.body);
