var xe,Fa,Op,Ln,ki,us,Ka,ss,Na,Ci,Ti,Ia,vr=Symbol.for("pv"),cs={},ds=[],Fp=/^m(i|n|o|s|text|space)$/,Pi=Array.isArray,za=ds.slice,lo=Object.assign;function io(e){
e&&e.parentNode&&e.remove()}function is(e,t,n,r,s){var i={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:vr,__v:s||++Fa,__i:-1,__u:0};return!s&&xe.vnode&&xe.
vnode(i),i}function R(e){return e.children}function ls(e,t){this.props=e,this.context=t,this.__g=0}function On(e,t){if(t==null)return e.__&&On(e.__,e.__i+1);for(var n;t<e.
__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:On(e)}function Kp(e){var t,n=e.__v,r=n.__e,s=[],i=[],l=e.__P;
l&&((t=lo({constructor:vr},n)).__v=n.__v+1,xe.vnode&&xe.vnode(t),Ei(l,t,n,e.__n,l.namespaceURI,32&n.__u?[r]:null,s,r||On(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=
t,ja(s,t,i),n.__=n.__e=null,t.__e!=r&&Ga(t))}function Ga(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),
Ga(e)}function Si(e){(8&e.__g||(e.__g|=8,Ln.push(e),us++))&&ki==xe.debounceRendering||((ki=xe.debounceRendering)||queueMicrotask)(Ua)}function Ua(){try{for(var e,
t=1;Ln.length;)Ln.length>t&&Ln.sort(Ka),e=Ln.shift(),t=Ln.length,8&e.__g&&Kp(e)}finally{(us=Ln.length)&&(ki||queueMicrotask)(Ua)}}function Ha(e,t,n,r,s,i,l,a,c,p,h){
var m,y,b,w,M,P,C=r.__k||ds,x=t.length;for(c=Np(n,t,C,c,x),m=0;m<x;m++)(b=n.__k[m])!=null&&(y=~b.__i&&C[b.__i]||cs,b.__i=m,P=Ei(e,b,y,s,i,l,a,c,p,h),w=b.__e,(y.
ref!=b.ref||8&y.__u)&&(y.ref&&Mi(y.ref,null,b,y),b.ref&&h.push(b.ref,b.__c||w,b)),M=M||w,4&b.__u?(c=Wa(b,c,e,!y.__v),y.__e&&(y.__e=null)):typeof b.type=="functi\
on"&&P!==void 0?c=P:w&&(c=w.nextSibling),b.__u&=-21);return n.__e=M,c}function Np(e,t,n,r,s){var i,l,a,c,p,h,m,y,b,w=n.length,M=w,P=0,C=0,x=e.__k=Array(s);for(i=
0;i<s;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=x[i]=is(null,l):Pi(l)?l=x[i]=is(R,{children:l}):
l.constructor===vr&&l.__b?l=x[i]=is(l.type,l.props,l.key,l.ref,l.__v):x[i]=l,c=i+P,l.__=e,l.__b=e.__b+1,a=null,~(p=l.__i=Ip(l,n,c,M))&&(M--,(a=n[p])&&(a.__u|=2)),
a&&a.__v?(l.__u|=16,p==c-1?P--:p==c+1?P++:p!=c&&(p>c?P--:P++,C=1)):(~p||(s>w?P--:s<w&&P++),typeof l.type!="function"&&(l.__u|=4))):x[i]=null;if(C){for(h=[],m=[],
i=0;i<s;i++)if((l=x[i])&&16&l.__u){for(P=0,y=h.length;P<y;)h[b=P+y>>1]<l.__i?P=b+1:y=b;h[P]=l.__i,m[i]=P+1}for(P=h.length;i--;)m[i]&&(m[i]==P?P--:x[i].__u|=4)}if(M)
for(i=0;i<w;i++)!(a=n[i])||2&a.__u||(a.__e==r&&(r=On(a)),Di(a,a));return r}function Wa(e,t,n,r){var s,i,l,a;if(typeof e.type=="function"){if(e.props.__P)return t;
if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&(s[i].__=e,t=Wa(s[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=On(e))&&!t.parentNode&&(t=null),l=e.__e,a=t;a&&a.nodeType==
8;)a=a.nextSibling;for(l!=a&&(!r&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(
"$s"););return t}function Ip(e,t,n,r){var s,i=e.key,l=e.type,a=t[n],c=a&&!(2&a.__u);if(a===null&&i==null||c&&i==a.key&&l==a.type)return n;if(r>(c?1:0)){for(s=n-1;s>=0;s--)if((a=
t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&i==a.key&&l==a.type)return s}return-1}function Oa(e,t,n){n==null&&
(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function rs(e,t,n,r,s){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(t in r)n&&t in n||Oa(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Oa(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(l=Ti[t]||(Ti[t]=zp(t)),(e.__a||(e.__a={}))[t]=Ci,i=t!=(t=t.replace(Na,"$1")),(t=t.slice(2))[0]<"a"&&
(t=t.toLowerCase()),n?e.addEventListener(t,l,i):e.removeEventListener(t,l,i));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)
try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function zp(e){
return function(t){var n=this.__e;if(n){if(n=n[e],t[ss]==null)t[ss]=Ci++;else if(t[ss]<this.__a[e])return;return n(xe.event?xe.event(t):t)}}}function Ei(e,t,n,r,s,i,l,a,c,p){
var h,m,y,b,w,M,P,C,x,$,T,X,N,ee,V,re,j,D,Y=t.type;if(t.constructor!==vr)return null;128&n.__u&&(c=32&n.__u,h=n.__c.__z)&&(t.__u|=c,m=i=[],h.nodeType==8?a=as(h,
i):i.push(h),a=i[0]||a),(h=xe.__b)&&h(t);e:if(typeof Y=="function"){y=l.length;try{if(C=t.props,x=(h=Y.prototype)&&h.render,$=(h=Y.contextType)&&r[h.__c],T=h?$?
$.props.value:h.__:r,(b=n.__c)?(t.__c=b,2&b.__g&&(b.__g|=1)):(x?t.__c=b=new Y(C,T):(t.__c=b=new ls(C,T),b.constructor=Y,b.render=Up),$&&$.sub(b),b.state||(b.state=
{}),b.__n=r,b.__g|=8,b.__h=[],b.__k=[]),x&&(b.__s||(b.__s=b.state),Y.getDerivedStateFromProps&&(b.__s==b.state&&(b.__s=lo({},b.__s)),lo(b.__s,Y.getDerivedStateFromProps(
C,b.__s)))),w=b.props,M=b.state,b.__v=t,n.__c){if(C!==w&&x&&!Y.getDerivedStateFromProps&&b.componentWillReceiveProps&&b.componentWillReceiveProps(C,T),t.__v==n.
__v&&!(8&b.__g)||!(4&b.__g)&&b.shouldComponentUpdate&&b.shouldComponentUpdate(C,b.__s,T)===!1){t.__v!=n.__v&&(b.props=C,b.state=b.__s,b.__g&=-9),t.__e=n.__e,t.__k=
n.__k,t.__k.some(function(L){L&&(L.__=t)}),ds.push.apply(b.__h,b.__k),b.__k=[],b.__h.length&&l.push(b),a=On(n);break e}b.componentWillUpdate&&b.componentWillUpdate(
C,b.__s,T),x&&b.componentDidUpdate&&b.__h.push(function(){b.componentDidUpdate(w,M,P)})}else x&&!Y.getDerivedStateFromProps&&b.componentWillMount&&b.componentWillMount(),
x&&b.componentDidMount&&b.__h.push(b.componentDidMount);b.context=T,b.props=C,b.__P=e,b.__g&=-5,X=xe.__r,N=x?25:0;do b.__g&=-9,X&&X(t),h=b.render(b.props,b.state=
b.__s,b.context);while(8&b.__g&&++N<25);x&&(ds.push.apply(b.__h,b.__k),b.__k=[]),b.state=b.__s,b.getChildContext&&(r=lo({},r,b.getChildContext())),x&&n.__c&&b.getSnapshotBeforeUpdate&&
(P=b.getSnapshotBeforeUpdate(w,M)),ee=h&&h.type===R&&h.key==null?h.props.children:h,C.__P&&(h=a,s=(e=C.__P).namespaceURI,c=i=null,n.props&&n.props.__P!=e&&(n.__k.
some(function(L){L&&Di(L,L)}),n.__k=null),a=n.__k?On(n,0):null),a=Ha(e,Pi(ee)?ee:[ee],t,n,r,s,i,l,a,c,p),C.__P&&(t.__e=null,a=h),t.__u&=-161,m&&m.some(io),b.__h.
length&&l.push(b),1&b.__g&&(b.__g&=-4)}catch(L){if(l.length=y,t.__v=null,c||i)if(L&&L.then){if(t.__u|=128|c,i){for(~(j=i.indexOf(a||void 0))||(j=i.length);(D=i[j-
1])&&D.nodeType==8;)j--;for(;j<i.length;j++)if(D=i[j])if(i[j]=null,V){if(D==re)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(re=as(V=D))}}if(!V){for(;a&&
a.nodeType==8&&a.nextSibling;)a=a.nextSibling;V=a}(h=as(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,a=h):t.__e=a,a=a&&a.nextSibling}else i&&i.some(io);else t.__e=n.__e;
t.__k||(t.__k=n.__k||[]),L&&L.then||Ba(t),xe.__e(L,t,n)}}else a=t.__e=Gp(n.__e,t,n,r,s,i,l,c,p,e);return(h=xe.diffed)&&h(t),a}function as(e,t){if(e&&e.nodeType==
8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(
e)}}function Ba(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ba))}function ja(e,t,n){for(var r=0;r<n.length;)Mi(n[r++],n[r++],n[r++]);xe.__c&&xe.__c(t,e),e.some(
function(s){try{e=s.__h,s.__h=[],e.some(function(i){i.call(s)})}catch(i){xe.__e(i,s.__v)}})}function Gp(e,t,n,r,s,i,l,a,c,p){var h,m,y,b,w,M,P,C,x=n.props||cs,$=t.
props,T=t.type;if(T=="svg"?s="http://www.w3.org/2000/svg":T=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),i){for(h=0;h<i.
length;h++)if((w=i[h])&&(T?w.localName==T:w.nodeType==3)){e=w,i[h]=null;break}}if(!e){if(C=p.ownerDocument||document,!T)return C.createTextNode($);e=C.createElementNS(
s,T,$.is?$:p),a&&(xe.__m&&xe.__m(t,i),a=!1),i=null}if(T){if(p=T=="template"&&e.content||e,i=T=="textarea"&&$.defaultValue!=null?null:i&&za.call(p.childNodes),!a&&
i)for(x={},h=0;h<e.attributes.length;h++)x[(w=e.attributes[h]).name]=w.value;for(h in x)w=x[h],h=="dangerouslySetInnerHTML"?y=w:h=="children"||h in $||h=="value"&&
"defaultValue"in $||h=="checked"&&"defaultChecked"in $||rs(e,h,null,w,s);for(h in $)w=$[h],h=="children"?b=w:h=="dangerouslySetInnerHTML"?m=w:h=="value"?M=w:h==
"checked"?P=w:a&&typeof w!="function"||x[h]===w||rs(e,h,w,x[h],s);m?(a||y&&(m.__html==y.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(y&&(e.
textContent=""),(T=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Fp.test(T))&&(s="http://www.w3.org/1999/xhtml"),Ha(p,Pi(b)?b:[b],t,n,r,s,i,l,i?i[0]:
n.__k&&On(n,0),a,c),i&&i.some(io)),a&&T!="textarea"||(h="value",T=="progress"&&M==null?e.removeAttribute(h):M==null||M===e[h]&&(T!="progress"||M)||rs(e,h,M,x[h],
s),h="checked",P!=null&&P!=e[h]&&rs(e,h,P,x[h],s))}else x===$||a&&e.data==$||(e.data=$);return e}function Mi(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&
(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){xe.__e(s,n)}}function Di(e,t,n){var r,s,i,l;if(xe.unmount&&xe.unmount(
e),!(r=e.ref)||r.current&&r.current!=e.__e||Mi(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){xe.__e(a,t)}r.__P=r.__n=null}
if(r=e.__k)for(l=0;l<r.length;l++)r[l]&&Di(r[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=as(r,i=[]))&&(r==e.__e&&i.some(io),io(
s),io(r)),n||io(e.__e),e.__e=e.__c=e.__=null}function Up(e,t,n){return this.constructor(e,n)}function Va(e,t){var n,r,s,i;xe.__&&xe.__(e,t),t.nodeType==9&&(t=t.
documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=is(R,{children:[e]}),s=[],i=[],Ei(t,t.__k,r||cs,cs,t.namespaceURI,r?null:t.firstChild?za.call(t.childNodes):
null,s,r?r.__e:t.firstChild,n,i),ja(s,t.__k,i),t.__k.props.children=null}function Ya(e){function t(n){var r,s;return this.getChildContext||(r=new Set,(s={})[t.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(i){this.props.value!=i.value&&r.forEach(function(l){l.__g|=4,Si(l)})},this.sub=function(i){r.add(i);var l=i.componentWillUnmount;i.componentWillUnmount=
function(){r.delete(i),l&&l.call(i)}}),n.children}return t.__c="__cC"+Ia++,t.__=e,t.Provider=(t.Consumer=function(n,r){return n.children(r)}).contextType=t,t}xe={__e:function(e,t,n,r){for(var s,i,l;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((l=(i=s.constructor)&&i.getDerivedStateFromError)&&s.setState(i.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),l=1),l&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw us=0,e}},Fa=0,Op=function(e){return e!=null&&e.
constructor===vr},ls.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=lo({},this.state)),typeof e=="function"&&(e=e(lo({},n),this.props)),
e&&(lo(n,e),this.__v&&(t&&this.__k.push(t),Si(this)))},ls.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Si(this))},ls.prototype.render=
R,Ln=[],us=0,Ka=function(e,t){return e.__v.__b-t.__v.__b},ss=Symbol(),Na=/(PointerCapture)$|Capture$/i,Ci=0,Ti={},Ia=0;var ao,Ue,Ri,Za,qi=Object.is,xr=0,su=[],$i=[],je=xe,Ja=je.__b,Qa=je.__r,Xa=je.diffed,eu=je.__c,tu=je.unmount,nu=je.__;function kr(e,t){je.__h&&je.__h(Ue,e,xr||t),
xr=0;var n=Ue.__H||(Ue.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function q(e){return xr=1,Hp(au,e)}function Hp(e,t,n){var r=kr(ao++,2);if(r.
t=e,!r.__c&&(r.__=[n?n(t):au(void 0,t),function(i){var l=(r.__N||r.__)[0],a=r.t(l,i);qi(l,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=Ue,!Ue.__f)){Ue.__f=
!0;var s=Ue.shouldComponentUpdate;Ue.shouldComponentUpdate=function(i,l,a){var c=this.__H;if(!c)return!0;var p=!1,h=this.props!=i;if(c.__.some(function(y){y.__N&&
(p=!0,qi(y.__[0],y.__N[0])||(h=!0))}),s){var m=s.call(this,i,l,a);return p?m||h:m}return!p||h}}return r.__}function de(e,t){var n=kr(ao++,3);!je.__s&&lu(n.__H,t)&&
(n.__P=!0,n.__=e,n.u=t,Ue.__H.__h.push(n))}function pt(e){return xr=5,No(function(){return{current:e}},[])}function No(e,t){var n=kr(ao++,7);return lu(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Io(e,t){return xr=8,No(function(){return e},t)}function iu(e){var t=Ue.context[e.
__c],n=kr(ao++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(Ue)),t.props.value):e.__}function ps(){var e=kr(ao++,11);if(!e.__){for(var t=Ue.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Wp(){var e;
do{for(;e=$i.shift();)try{wr(e)}catch(n){je.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=su.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(wr),t.__h.some(Ai),t.__h=[]}catch(n){
t.__h=[],je.__e(n,e.__v)}}}while($i.length)}je.__b=function(e){Ue=null,Ja&&Ja(e)},je.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),nu&&nu(e,t)},je.__r=
function(e){Qa&&Qa(e),ao=0;var t=(Ue=e.__c).__H;t&&(Ri==Ue?Ue.__h=[]:(t.__h.some(wr),t.__h.some(Ai),ao=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=
n.__N=void 0})),Ri=Ue},je.diffed=function(e){Xa&&Xa(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ru(su.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ri=
Ue=null},je.__c=function(e,t){t.some(function(n){try{n.__h.some(wr),n.__h=n.__h.filter(function(r){return!r.__||Ai(r)})}catch(r){n.__h=[function(){throw r}]}}),
eu&&eu(e,t)},je.unmount=function(e){tu&&tu(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.
__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,ru($i.push(s))}else wr(s)}catch(i){t=i}}),r.__H=void 0,t&&je.__e(t,r.__v))};var ou=typeof requestAnimationFrame=="function";
function Bp(e){var t,n=function(){clearTimeout(r),ou&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ou&&(t=requestAnimationFrame(n))}function ru(e){
e!=1&&Za==je.requestAnimationFrame||((Za=je.requestAnimationFrame)||Bp)(Wp)}function wr(e){var t=Ue,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Ue=t}function Ai(e){
var t=Ue;e.__c=e.__(),Ue=t}function lu(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!qi(n,e[r])})}function au(e,t){return typeof t=="function"?
t(e):t}var uu={"POST /admin/v1/adjustments":"costs.correct","GET /admin/v1/attempts":"requests.read","GET /admin/v1/backup":"store.copy","GET /admin/v1/config":"config\
.read","GET /admin/v1/explain":"models.read","POST /admin/v1/explain":"models.read","GET /admin/v1/keys":"keys.read","POST /admin/v1/keys":"keys.write","GET /ad\
min/v1/keys/{key}":"keys.read","PATCH /admin/v1/keys/{key}":"keys.write","DELETE /admin/v1/keys/{key}":"keys.write","POST /admin/v1/keys/{key}/rotate":"keys.wri\
te","GET /admin/v1/latency":"usage.read","GET /admin/v1/limits":"usage.read","GET /admin/v1/models":"models.read","GET /admin/v1/openapi.json":"session.own","PO\
ST /admin/v1/reload":"config.reload","GET /admin/v1/requests":"requests.read","GET /admin/v1/requests/{request}":"requests.read","GET /admin/v1/running":"reques\
ts.read","DELETE /admin/v1/running/{request}":"requests.cut","GET /admin/v1/session":"session.own","POST /admin/v1/session":"","DELETE /admin/v1/session":"sessi\
on.own","GET /admin/v1/settings":"settings.read","GET /admin/v1/teams":"teams.read","POST /admin/v1/teams":"teams.write","GET /admin/v1/teams/{team}":"teams.rea\
d","PATCH /admin/v1/teams/{team}":"teams.write","DELETE /admin/v1/teams/{team}":"teams.write","GET /admin/v1/usage":"usage.read","GET /admin/v1/verify":"ledger.\
verify","GET /healthz":"","GET /metrics":"","GET /readyz":""};var wt=class extends Error{constructor(n,r,s,i=null){super(s);this.status=n;this.code=r;this.param=i}status;code;param},ms=new EventTarget;async function We(e,t={},n){
let[r="GET"]=e.split(" ");return await Li(r,zo(e,t),t.body,n)}function zo(e,t={},n={}){let s=e.slice(e.indexOf(" ")+1).replace(/\{(\w+)\}/g,(a,c)=>encodeURIComponent(
t.path?.[c]??"")),i=new URLSearchParams;for(let[a,c]of Object.entries({...t.query,...n}))c!==void 0&&c!==""&&i.set(a,String(c));let l=i.toString();return l===""?
s:s+"?"+l}function cu(e,t={}){return zo(e,t,{format:"csv"})}async function Li(e,t,n,r){let s={method:e,credentials:"same-origin",headers:{accept:"application/js\
on"}};r&&(s.signal=r),n!==void 0&&(s.body=JSON.stringify(n),s.headers={accept:"application/json","content-type":"application/json"});let i=await fetch(t,s).catch(
l=>{throw l instanceof DOMException&&l.name==="AbortError"?l:new wt(0,"unreachable","Weir does not answer at this address.")});if(i.ok)return i.status===204?void 0:
i.json();throw await Oi(i)}function du(e,t,n,r){return fetch(e,{method:"POST",credentials:"same-origin",headers:{...n,"content-type":"application/json"},body:t,
signal:r}).catch(s=>{throw r.aborted?s:new wt(0,"unreachable","Weir does not answer at this address.")})}async function Oi(e){e.status===401&&ms.dispatchEvent(new Event(
"ended"));let t=await e.json().catch(()=>null),n=jp(t)?t.error:null;return new wt(e.status,n?.code??"",n?.message??`Weir answered ${e.status}.`,n?.param??null)}
function jp(e){return typeof e=="object"&&e!==null&&"error"in e&&typeof e.error=="object"&&e.error!==null&&"message"in e.error}var Vp=150,Yp=6e4,Fi=new EventTarget;function fs(){Fi.dispatchEvent(new Event("refresh"))}function G(e,t){let n=t===null?"":JSON.stringify([e,t]),[r,s]=q(null),
[i,l]=q(null),[a,c]=q(!1),[p,h]=q(null),m=pt(""),y=pt(null),b=Io(()=>{if(y.current?.abort(),n==="")return;let{signal:w}=y.current=new AbortController,M=setTimeout(
()=>c(!0),Vp),[,P]=JSON.parse(n);We(e,P,w).then(C=>{m.current=n,s(C),l(null),h(new Date)}).catch(C=>{w.aborted||(m.current!==n&&s(null),l(tn(C)))}).finally(()=>{
clearTimeout(M),w.aborted||c(!1)})},[n]);return de(()=>{b();let w=setInterval(()=>document.hidden||b(),Yp);return Fi.addEventListener("refresh",b),()=>{y.current?.
abort(),clearInterval(w),Fi.removeEventListener("refresh",b)}},[b]),{data:r,error:i,loading:a,at:p,reload:b}}function tn(e){return e instanceof wt?e:new wt(0,"f\
ailed",e instanceof Error?e.message:String(e))}var Ki=Ya(null);function F(){let e=iu(Ki);if(!e)throw new Error("no session");return e}function xn(e){return F().session.permissions.includes(uu[e])}function Ni(){
return We("GET /admin/v1/session")}function pu(e){return We("POST /admin/v1/session",{body:{token:e}})}async function mu(){await We("DELETE /admin/v1/session")}function hu(e){if(!/^\s*(\$\s*)?curl\s/.test(e))return{body:fu(e),key:null};let t=Xp(e),n=Jp(t);if(n===null)throw new Error("The command sends no body: there is\
 no -d, --data or --json in it.");if(/^@/.test(n))throw new Error(`The body is in the file ${n.slice(1)}: paste what is in it.`);return{body:fu(n),key:Zp(e)}}function bu(e){
return e.replace(/(sk-weir-[A-Za-z0-9]{12})-[A-Za-z0-9_-]+/g,"$1-…").replace(/((?:bearer|x-api-key:|api-key:)\s+)(?!sk-weir-)[^\s'"$]+/gi,"$1…")}function Zp(e){
return/sk-weir-([A-Za-z0-9]{12})-/.exec(e)?.[1]??null}function fu(e){let t=JSON.parse(e);if(typeof t!="object"||t===null||Array.isArray(t))throw new Error("A re\
quest is a JSON object: it begins with {.");return t}var gu=["--data","--data-raw","--data-binary","--data-ascii","--json"];function Jp(e){let t=[];return e.forEach(
(n,r)=>{let s=gu.find(i=>n.startsWith(i+"="));n==="-d"||gu.includes(n)?t.push(e[r+1]??""):s!==void 0?t.push(n.slice(s.length+1)):/^-d./.test(n)&&t.push(n.slice(
2))}),t.length===0?null:t.join(e.some(n=>/^--json/.test(n))?"":"&")}var Qp={n:`
`,t:"	",r:"\r"};function Xp(e){let t=[],n=/\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/gy,r=null,s=0;for(let i of e.
matchAll(n)){let[l,a,c,p,h,m]=i;if(s=i.index+l.length,l.startsWith(`\\
`)||l.startsWith("\\\r"))continue;let y=a?.replace(/\\([^])/g,(b,w)=>Qp[w]??w)??c??p?.replace(/\\(["\\$`])/g,"$1")??h??m;y!==void 0?r=(r??"")+y:r!==null&&(t.push(
r),r=null)}if(s<e.length)throw new Error("A quotation mark of the command is not closed.");return r===null?t:[...t,r]}var em=1000000000n;function fe(e,t=2){let n=typeof e=="bigint"?e:BigInt(Math.round(e));if(n===0n)return t>2?"$0":`$${"0."+"0".repeat(t)}`.replace(/\.$/,"");let r=n<
0n?"−":"",s=n<0n?-n:n,i=s===0n?t:Math.max(t,tm(s)),l=10n**BigInt(9-i),a=(s+l/2n)/l,c=10n**BigInt(i),p=i===0?"":"."+(a%c).toString().padStart(i,"0");return`${r}\
$${yu(a/c)}${p}`}function tm(e){return e>=em/100n?0:Math.min(9,9-e.toString().length+2)}function Me(e){if(Math.round(e)===0)return"$0.00";let t=fe(e,9).replace(
/0+$/,"");return t.endsWith(".")?t+"00":t.replace(/\.(\d)$/,".$10")}function Go(e){let t=e/1e9;return Math.abs(t)>=1e4?"$"+nn(t):fe(e,t!==0&&Math.abs(t)<10?2:0)}
function yu(e){return e.toString().replace(/\B(?=(\d{3})+$)/g,",")}function z(e){return yu(BigInt(Math.round(e))).replace("-","−")}function nn(e){for(let[t,n]of[
[1e12,"T"],[1e9,"B"],[1e6,"M"],[1e4,"k"]])if(Math.abs(e)>=t){let r=e/(n==="k"?1e3:t);return`${_u(r)} ${n}`}return z(e)}function _u(e){let t=Math.floor(Math.abs(
e)).toString().length;return e.toFixed(Math.max(0,3-t))}function lt(e,t){if(t===0)return"0 %";let n=e/t*100;return n!==0&&n<.01?"< 0.01 %":`${n.toFixed(n<10&&n%
1!==0?2:n<100&&n%1!==0?1:0)} %`}function Tr(e,t){if(t===0)return"";let n=(e-t)/t*100;return Math.abs(n)>=1e3?`${n>0?"+":"−"}${_u(Math.abs(e/t))}×`:`${n<0?"−":
"+"}${Math.abs(n).toFixed(Math.abs(n)<10?1:0)} %`}function Se(e){if(e===null)return"–";if(e<1e3)return`${e} µs`;if(e<1e6)return`${e<1e4?(e/1e3).toFixed(1):Math.
round(e/1e3)} ms`;if(e<6e7)return`${(e/1e6).toFixed(2)} s`;let t=Math.round(e/1e6);return`${Math.floor(t/60)} min ${t%60} s`}function vu(e){return e<1e6?`${Math.
round(e/1e3)} ms`:e<12e7?`${+(e/1e6).toFixed(1)} s`:`${+(e/6e7).toFixed(1)} min`}function ve(e,t,n=t+"s"){return`${z(e)} ${e===1?t:n}`}var nm=["since","until","team"],Ii=new Set;function Sr(){return{path:location.pathname,params:new URLSearchParams(location.search)}}function le(){let[e,t]=q(Sr);
return de(()=>{let n=()=>t(Sr());return Ii.add(n),addEventListener("popstate",n),()=>{Ii.delete(n),removeEventListener("popstate",n)}},[]),e}function Fn(e,t=!1){
let n=location.pathname;t?history.replaceState(null,"",e):history.pushState(null,"",e),location.pathname!==n&&scrollTo(0,0),Ii.forEach(r=>r())}function te(e,t=!1){
let{path:n,params:r}=Sr();Fn(n+Gi(zi(r,e)),t)}function Cr(e){let{path:t,params:n}=Sr();return t+Gi(zi(n,e))}function ne(e,t={}){let n=new URLSearchParams;for(let r of nm){
let s=Sr().params.get(r);s!==null&&n.set(r,s)}return e+Gi(zi(n,t))}function zi(e,t){for(let[n,r]of Object.entries(t))r===null||r===""?e.delete(n):e.set(n,r);return e}
function Gi(e){let t=e.toString();return t===""?"":"?"+t}function wu(e){document.addEventListener("click",t=>{if(t.defaultPrevented||t.button!==0||t.metaKey||t.
ctrlKey||t.shiftKey||t.altKey)return;let n=t.target instanceof Element?t.target.closest("a"):null;!n||n.target!==""||n.hasAttribute("download")||n.origin!==location.
origin||e(n.pathname)&&(t.preventDefault(),Fn(n.pathname+n.search))})}var xu=new Map;function Uo(e,t,n){let r=e+t,s=xu.get(r);return s||xu.set(r,s=new Intl.DateTimeFormat("en-GB",{timeZone:e,hourCycle:"h23",...n})),s}function Pr(e,t){
return Uo(t,"clock",{hour:"2-digit",minute:"2-digit",second:"2-digit"}).format(e)}function Dt(e,t){return Uo(t,"minute",{hour:"2-digit",minute:"2-digit"}).format(
e)}function Kn(e,t){return Uo(t,"day",{day:"numeric",month:"short"}).format(e)}function Tu(e,t){return`${Kn(e,t)} ${Pr(e,t)}`}function mt(e,t){return Uo(t,"full",
{day:"numeric",month:"short",year:"numeric",hour:"2-digit",minute:"2-digit"}).format(e).replace(",","")}function gs(e,t){return Uo(t,"date",{day:"numeric",month:"\
short",year:"numeric"}).format(e)}function Ft(e,t=new Date){let n=t.getTime()-e.getTime();return n<0?`${e.toISOString()}, in ${kn(-n)}`:`${e.toISOString()}, ${kn(
n)} ago`}function kn(e){let t=Math.max(0,Math.floor(e/1e3)),n=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],r=n.findIndex(([s])=>t>=s);return r<0?"0 s":n.slice(r,
r+2).map(([s,i],l)=>[Math.floor((l===0?t:t%(n[r]?.[0]??1))/s),i]).filter(([s])=>s>0).map(([s,i])=>`${s} ${i}`).join(" ")}function Ui(e,t){let n=Object.fromEntries(
Uo(t,"parts",{year:"numeric",month:"numeric",day:"numeric",hour:"numeric",minute:"numeric",second:"numeric"}).formatToParts(e).map(s=>[s.type,Number(s.value)]));
return Date.UTC(n.year??0,(n.month??1)-1,n.day,n.hour,n.minute,n.second)-Math.floor(e/1e3)*1e3}function Kt(e,t){let n=Date.parse(e.length===10?e+"T00:00Z":e+"Z"),
r=n-Ui(n,t);return new Date(n-Ui(r,t))}function Rt(e,t){return new Date(e.getTime()+Ui(e.getTime(),t)).toISOString().slice(0,16)}function xt(e){return{since:e.get(
"since")??"7d",until:e.get("until")??""}}function Er(e,t=new Date){let n=Rt(t,e).slice(0,10),r=n.slice(0,8)+"01";return[{label:"Last hour",since:"1h",until:""},
{label:"Last 24 hours",since:"24h",until:""},{label:"Last 7 days",since:"7d",until:""},{label:"Last 30 days",since:"30d",until:""},{label:"Last 90 days",since:"\
90d",until:""},{label:"Today",since:n,until:""},{label:"This month",since:r,until:""},{label:"Last month",since:om(r),until:r}]}function om(e){let t=new Date(e+
"T00:00Z");return t.setUTCMonth(t.getUTCMonth()-1),t.toISOString().slice(0,10)}var rm={m:6e4,h:36e5,d:864e5,w:7*864e5};function Mr(e,t,n=new Date){return{from:ku(
e.since,t,n),to:e.until===""?n:ku(e.until,t,n)}}function ku(e,t,n){let r=/^(\d+)([mhdw])$/.exec(e);return r?new Date(n.getTime()-Number(r[1])*(rm[r[2]??"d"]??0)):
/^\d{4}-\d{2}-\d{2}$/.test(e)?Kt(e,t):new Date(e)}function hs(e,t,n=new Date(Math.floor(Date.now()/36e5)*36e5)){let{from:r,to:s}=Mr(e,t,n);return{since:new Date(
2*r.getTime()-s.getTime()).toISOString(),until:r.toISOString()}}function uo(e,t){let{from:n,to:r}=Mr(e,t),s=(r.getTime()-n.getTime())/864e5;return s<=8?"hour":s<=
400?"day":"month"}function fn(e,t){let n=Er(t).find(i=>i.since===e.since&&i.until===e.until);if(n)return n.label;let{from:r,to:s}=Mr(e,t);return`${mt(r,t)} – ${e.
until===""?"now":mt(s,t)}`}var sm={no_images:"it reads no images",no_audio:"it takes no audio",no_files:"it reads no files",no_tools:"it calls no tools",no_schema:"it does not answer by a\
 schema",no_prefill:"it does not go on with an answer that was begun",prompt_too_long:"the prompt is too long for it",no_endpoint:"its provider does not have th\
is endpoint, or no such model",unsendable:"something in the request has no place there, or would be lost, which strict mode forbids",down:"it failed too often, \
and another request is probing whether it is well",full:"it has as many requests as it may have",no_credential:"its provider refused all credentials",budget:"a \
budget has no room for a call there",no_price:"what it costs is unknown, and a budget in dollars applies"};function Su(e,t){switch(!0){case e.skip!==null:return im(
e,e.skip,t);case e.probe:return"it failed before: this request would probe whether it is well";case e.resting_until!==null:return`it asked to be left alone for \
another ${Hi(e.resting_until,t)}`;case e.last:return"it fails for other keys: it is tried when no other target, and no fallback, is left";case e.refused_for.length>
0:return`its provider refused all credentials for ${e.refused_for.join(", ")}`;case e.down_for.length>0:return`it failed too often for ${e.down_for.join(", ")}`;case e.
credentials_free_at!==null:return"no credential is free; one is tried all the same";default:return""}}function im(e,t,n){return t==="down"&&e.open_until!==null?
`it failed too often; its breaker is open for another ${Hi(e.open_until,n)}`:t==="full"&&e.full_until!==null?`it has as many requests as its vendor allows a min\
ute, for another ${Hi(e.full_until,n)}`:e.barred??sm[t]}function Hi(e,t){return kn(Math.max(1e3,new Date(e??t).getTime()-t.getTime()))}var lm=Symbol.for("pv"),am=0;function o(e,t,n,r,s,i){t||(t={});var l,a,c=t;if("ref"in c&&typeof e!="function")for(a in c={},t)a=="ref"?l=t[a]:c[a]=t[a];var p={type:e,props:c,key:n,ref:l,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:lm,__v:--am,__i:-1,__u:0};return(s||i)&&(p.__source=s,p.__self=i),xe.vnode&&xe.vnode(p),p}function at({text:e,label:t="Copy",primary:n}){let[r,s]=q("");return de(()=>{let l=setTimeout(()=>s(""),1500);return()=>clearTimeout(l)},[r]),o("button",{type:"\
button",class:n?"primary":"quiet",onClick:()=>{let l=navigator.clipboard;(l?l.writeText(e):Promise.reject(new Error)).then(()=>s("Copied"),()=>s("Not allowed"))},
children:[r||t,o("span",{class:"unseen",role:"status",children:r})]})}function De({route:e,asked:t,command:n,list:r}){return o(R,{children:[n&&o(at,{text:n,label:"\
Copy command"}),o(at,{text:um(e,t),label:"Copy curl"}),r&&o("a",{class:"button quiet",href:cu(e,t),download:"",children:"CSV"})]})}function um(e,t){return`curl \
-s ${kt(location.origin+zo(e,t))} -H "Authorization: Bearer $(cat weir-data/admin.token)"`}function kt(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",
"'\\''")}'`}function ae({label:e,hint:t,wrong:n,value:r,onInput:s,list:i,bare:l,type:a="text",...c}){let p=ps(),h={type:a,list:i&&p+"-list","aria-invalid":n?!0:void 0,"aria\
-describedby":t||n?p+"-about":void 0,...c};return o("div",{class:"field",children:[o("label",{for:p,class:l?"unseen":void 0,children:e}),o("input",{id:p,value:r,
onInput:m=>s(m.currentTarget.value),autocomplete:"off",spellcheck:!1,...h}),i&&o("datalist",{id:p+"-list",children:i.map(m=>o("option",{value:m},m))}),o(Wi,{id:p,
hint:t,wrong:n})]})}function Ho({label:e,hint:t,wrong:n,value:r,onInput:s,code:i,bare:l,...a}){let c=ps(),p={"aria-invalid":n?!0:void 0,"aria-describedby":t||n?
c+"-about":void 0,...a};return o("div",{class:"field",children:[o("label",{for:c,class:l?"unseen":void 0,children:e}),o("textarea",{id:c,class:i?"mono":void 0,value:r,
onInput:h=>s(h.currentTarget.value),autocomplete:"off",spellcheck:!1,...p}),o(Wi,{id:c,hint:t,wrong:n})]})}function Ve({label:e,hint:t,wrong:n,value:r,options:s,
onChange:i,bare:l}){let a=ps();return o("div",{class:"field",children:[o("label",{for:a,class:l?"unseen":void 0,children:e}),o("select",{id:a,value:r,"aria-inva\
lid":n?!0:void 0,"aria-describedby":t||n?a+"-about":void 0,onChange:c=>i(c.currentTarget.value),children:s.map(c=>o("option",{value:c.value,selected:c.value===r,
children:c.label},c.value))}),o(Wi,{id:a,hint:t,wrong:n})]})}function Wi({id:e,hint:t,wrong:n}){return!t&&!n?null:o("span",{id:e+"-about",class:n?"wrong":"muted\
 small",children:n??t})}function gn({label:e,checked:t,onChange:n}){return o("label",{class:"check",children:[o("input",{type:"checkbox",checked:t,onChange:r=>n(
r.currentTarget.checked)}),e]})}function Nn({label:e,value:t,options:n,onChange:r}){return o("div",{class:"segments",role:"group","aria-label":e,children:n.map(
s=>o("button",{type:"button","aria-pressed":s.value===t,onClick:()=>r(s.value),children:s.label},s.value))})}function Bi(e){let t=[],{credentials:n,credentials_parked:r,credentials_resting:s}=e;return e.breaker==="open"&&t.push({text:"breaker open",tone:"bad",...Dr(e.open_until)}),
e.breaker==="trying"&&t.push({text:"being tried",tone:"warn"}),n>0&&r===n?t.push({text:n===1?"credential refused":"all credentials refused",tone:"bad",...Dr(e.credentials_free_at)}):
r>0&&t.push({text:`${r} of ${n} credentials refused`,tone:"warn"}),s>0&&t.push({text:`${ve(s,"credential")} at a rate limit`,tone:"warn",...Dr(r+s===n?e.credentials_free_at:
null)}),e.resting_until&&t.push({text:"asked for rest",tone:"warn",...Dr(e.resting_until)}),e.full&&t.push({text:"full",tone:"warn",...Dr(e.full_until)}),e.down_for.
length>0&&t.push({text:`down for ${ve(e.down_for.length,"key")}`,tone:"warn"}),e.refused_for.length>0&&t.push({text:`refused ${ve(e.refused_for.length,"key")}`,
tone:"warn"}),t.length>0?t:[{text:"well",tone:"good"}]}function Dr(e){return e===null?{}:{until:new Date(e)}}var cm={good:"M1 4a3 3 0 1 0 6 0a3 3 0 1 0-6 0",warn:"\
M4 .5L7.800 7.500H.2z",bad:"M1 1h6v6H1z",muted:"M1 3.200h6v1.600H1z"};function dm({tone:e}){return o("svg",{class:`mark ${e}`,viewBox:"0 0 8 8",width:"8",height:"\
8","aria-hidden":"true",children:o("path",{d:cm[e],fill:"currentColor"})})}function Rr({words:e}){let{zone:t}=F();return o("span",{class:"conditions",children:e.
map(n=>o("span",{class:n.tone==="good"?void 0:n.tone,children:[o(dm,{tone:n.tone}),n.text,n.until&&o("span",{title:Ft(n.until),children:[" until ",Pr(n.until,t)]})]},
n.text))})}function qr({health:e}){return o(Rr,{words:e?Bi(e):[{text:"not known",tone:"muted"}]})}var ji="custom";function Cu(){let{zone:e}=F(),t=xt(le().params),[n,r]=q(!1),s=Er(e).find(a=>a.since===t.since&&a.until===t.until),i=Er(e).map(a=>({value:a.label,
label:a.label}));s||i.push({value:"",label:fn(t,e)}),i.push({value:ji,label:"From … to …"});let l=a=>{let c=Er(e).find(p=>p.label===a);r(a===ji),c&&te({since:c.
since,until:c.until})};return o(R,{children:[o(Ve,{bare:!0,label:"Period",value:n?ji:s?.label??"",options:i,onChange:l}),n&&o(pm,{onDone:()=>r(!1)})]})}function pm({
onDone:e}){let{zone:t}=F(),{from:n,to:r}=Mr(xt(le().params),t),[s,i]=q(Rt(n,t)),[l,a]=q(Rt(r,t)),c=l<=s?"It ends before it begins.":null;return o("form",{class:"\
filters",onSubmit:h=>{h.preventDefault(),!c&&(te({since:Kt(s,t).toISOString(),until:Kt(l,t).toISOString()}),e())},children:[o(ae,{label:`From, ${t}`,type:"datet\
ime-local",value:s,onInput:i,required:!0}),o(ae,{label:"To",type:"datetime-local",value:l,onInput:a,required:!0,wrong:c}),o("button",{class:"primary",disabled:c!==
null,children:"Show"})]})}function Pu(){let e=le().params.get("team")??"",n=(G("GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).map(r=>({value:r.name,
label:r.name}));return n.length===0&&e===""?null:(e!==""&&!n.some(r=>r.value===e)&&n.push({value:e,label:e}),o(Ve,{bare:!0,label:"Team",value:e,options:[{value:"",
label:"All teams"},...n],onChange:r=>te({team:r})}))}var Vi=new EventTarget;function bs(e,t=!1){Vi.dispatchEvent(new CustomEvent("said",{detail:{text:e,care:t}}))}function Eu(){let[e,t]=q(null),{path:n}=le();return de(
()=>{let r=s=>s instanceof CustomEvent&&t(s.detail);return Vi.addEventListener("said",r),()=>Vi.removeEventListener("said",r)},[]),de(()=>t(null),[n]),o("div",{
class:"said",role:"status",children:e&&o("div",{class:e.care?"panel alert":"panel alert good-edge",children:[o("span",{children:e.text}),o("button",{class:"quie\
t rest",onClick:()=>t(null),children:"Dismiss"})]})})}function Ne({title:e,mark:t,up:n,period:r,team:s,of:i,tools:l,children:a}){return de(()=>{document.title=`${e} · Weir`},[e]),o(R,{children:[o("div",{class:"hea\
d",children:[o("div",{class:"title",children:[n&&o("a",{class:"small",href:ne(n.path),children:n.title}),o("div",{class:"row",children:[o("h1",{children:e}),t]})]}),
o("div",{class:"tools",children:[l,s&&o(Pu,{}),r&&o(Cu,{}),i&&o(mm,{of:i})]})]}),o(Eu,{}),a]})}function mm({of:e}){let{zone:t}=F();return o("button",{class:"qui\
et",title:"Fetch it again",onClick:fs,children:e.at?`as of ${Pr(e.at,t)}`:"…"})}function ge({of:e,empty:t,isEmpty:n,children:r}){let{data:s,error:i,loading:l}=e;if(s===null)return i?o(co,{error:i,retry:e.reload}):o(ys,{shown:l});let a=t!==void 0&&
n?.(s)===!0;return o(R,{children:[i&&o(fm,{of:e,error:i}),l&&o(ys,{shown:!0}),o("div",{class:l?"old":void 0,children:a?o("div",{class:"state",children:t}):r(s)})]})}
function ys({shown:e}){return e?o("div",{role:"status",children:[o("div",{class:"loading"}),o("span",{class:"unseen",children:"Loading"})]}):null}function fm({of:e,
error:t}){let{zone:n}=F();return o("div",{class:"row state small",role:"status",children:[o("span",{class:"warn",children:["Could not refresh",e.at?`: this is f\
rom ${Dt(e.at,n)}`:"","."]}),o("span",{children:t.message}),o("button",{class:"quiet",onClick:e.reload,children:"Try again"})]})}function co({error:e,retry:t}){
return o("div",{class:"state",role:"alert",children:[o("strong",{children:gm(e)}),o("span",{children:e.message}),e.status>=500&&o("span",{children:"Requests of \
callers are served and journaled all the same."}),t&&e.status!==403&&o("button",{onClick:t,children:"Try again"})]})}function gm({status:e}){switch(!0){case e===
0:return"Weir cannot be reached";case e===403:return"Your role does not allow this";case e===404:return"There is no such thing";case(e===503||e===529):return"Th\
at takes too long now";case e>=500:return"The store cannot be read";default:return"Weir refuses this question"}}function Ie(e){let{label:t,columns:n,rows:r,id:s,selected:i,onOpen:l}=e,[a,c]=q(()=>vm(e.sorted)),[p,h]=q(!1),m=wm(r,n,a),y=p?m:m.slice(0,e.most),b=n.some(w=>w.
sum!==void 0);return o("div",{class:"scroll",tabIndex:0,role:"group","aria-label":t,children:[o("table",{children:[o("thead",{children:o("tr",{children:n.map(w=>o(
hm,{column:w,order:a,onOrder:c},w.key))})}),o("tbody",{children:y.map(w=>o(bm,{row:w,columns:n,selected:i!==void 0&&i===s(w),onOpen:l},s(w)))}),b&&o("tfoot",{children:o(
"tr",{children:n.map(w=>o("td",{class:$r(w),children:w.sum},w.key))})})]}),y.length<r.length&&o("button",{class:"quiet more",onClick:()=>h(!0),children:["Show a\
ll ",r.length]})]})}function $r(e){return e.num?"num":e.wrap?"wrap":void 0}function hm({column:e,order:t,onOrder:n}){if(e.title==="")return o("td",{class:$r(e)});
let r=t?.key===e.key?t:null;if(!e.sort)return o("th",{scope:"col",class:$r(e),title:e.hint,children:e.title});let s={key:e.key,down:r?!r.down:e.num===!0};return o(
"th",{scope:"col",class:$r(e),title:e.hint,"aria-sort":r?r.down?"descending":"ascending":"none",children:o("button",{type:"button",onClick:()=>n(s),children:[r&&
o("span",{"aria-hidden":"true",children:r.down?"↓":"↑"}),o("span",{children:e.title})]})})}function bm({row:e,columns:t,selected:n,onOpen:r}){let s=t.map(i=>o(
"td",{class:$r(i),children:i.cell(e)},i.key));return r?o("tr",{class:"open","aria-selected":n,tabIndex:0,onClick:i=>ym(i)&&r(e),onKeyDown:i=>_m(i,()=>r(e)),children:s}):
o("tr",{children:s})}function ym(e){return(e.target instanceof Element?e.target.closest("a, button"):null)===null&&getSelection()?.isCollapsed!==!1}function _m(e,t){
let n=e.currentTarget;if(!(n instanceof HTMLElement)||e.target!==n)return;let r=e.key==="ArrowDown"?n.nextElementSibling:e.key==="ArrowUp"?n.previousElementSibling:
null;if(e.key==="Enter")t();else if(r instanceof HTMLElement)r.focus();else return;e.preventDefault()}function vm(e){return e===void 0?null:e.startsWith("-")?{key:e.
slice(1),down:!0}:{key:e,down:!1}}function wm(e,t,n){let r=t.find(i=>i.key===n?.key)?.sort;if(!r||!n)return e;let s=n.down?-1:1;return e.toSorted((i,l)=>{let[a,
c]=[r(i),r(l)];return s*(typeof a=="string"?a.localeCompare(String(c)):a-Number(c))})}function Tn({part:e,whole:t}){let n=t>0?Math.max(e>0?1:0,96*e/t):0;return o(
"svg",{class:"share",viewBox:"0 0 96 8","aria-hidden":"true",children:[o("rect",{width:"96",height:"8",rx:"1"}),o("rect",{width:n,height:"8",rx:"1"})]})}function Mu(){let{params:e}=le(),[t,n]=q(null),r=e.get("model")??"",s=e.get("key")??"",i={...r&&{model:r},...s&&{key:s}},l=r===""&&t===null?null:{query:i},a=G("\
GET /admin/v1/explain",t===null?l:null),c=G("POST /admin/v1/explain",t===null?null:{query:i,body:t}),p=t===null?a:c;return o(Ne,{title:"Explain",...l&&{of:p},children:[
o(xm,{model:r,onBody:n}),l===null?o(Tm,{}):o(ge,{of:p,children:h=>o(Sm,{explanation:h,hasBody:t!==null})})]})}function xm({model:e,onBody:t}){let{models:n}=F(),
{params:r}=le(),[s,i]=q(e),[l,a]=q(r.get("key")??""),[c,p]=q(""),[h,m]=q(null),b=(G("GET /admin/v1/keys",{query:{limit:1e3}}).data?.data??[]).filter(M=>M.status===
"active").map(M=>M.name);return o("form",{class:"panel pad stack",onSubmit:M=>{M.preventDefault();let P=km(c);if(m(typeof P=="string"?P:null),typeof P=="string")
return;let C=l.trim()||P?.key||"",x=typeof P?.body.model=="string"?P.body.model:"";a(C),i(s.trim()||x),t(P?.body??null),te({model:s.trim()||x,key:C})},"aria-lab\
el":"Request to explain",children:[o("div",{class:"ask",children:[o("div",{class:"stack small-gap",children:[o(ae,{label:"Model",value:s,onInput:i,list:n,placeholder:"\
as callers name it",hint:"Empty: the one that the body names."}),o(ae,{label:"Key",value:l,onInput:a,list:b,placeholder:"any that may use every model",hint:"Its\
 name or id."})]}),o(Ho,{code:!0,label:"Request: a JSON body, or a pasted curl command",rows:6,value:c,onInput:M=>p(bu(M)),wrong:h,placeholder:'{"messages": [{"\
role": "user", "content": "Hello"}], "max_tokens": 500}',hint:"Without it, a chat with no special needs. It goes to Weir alone, and no provider is called."})]}),
o("div",{class:"row",children:[o("button",{class:"primary",children:"Explain"}),c!==""&&o("button",{type:"button",onClick:()=>{p(""),m(null),t(null)},children:"\
Clear the request"}),o("span",{class:"rest",children:s!==""&&o(at,{label:"Copy command",text:`weir explain ${kt(s)}${l===""?"":` --key ${kt(l)}`}${c===""?"":" -\
-body request.json"}`})})]})]})}function km(e){if(e.trim()==="")return null;try{return hu(e)}catch(t){return t instanceof Error?`This cannot be read. ${t.message}`:
"This cannot be read."}}function Tm(){return o("section",{class:"panel state",children:[o("strong",{children:"Name a model, or paste a request"}),o("span",{children:"\
You will see where it would go now, what would be skipped and why, which limits and budgets apply, and about what it would cost. Nothing is called or changed."}),
o("span",{children:["In a terminal: ",o("code",{children:"weir explain smart --key my-app --body request.json"})]})]})}function Sm({explanation:e,hasBody:t}){let n=[
...e.limits,...e.budgets];return o("div",{class:"stack",children:[o(Cm,{explanation:e,hasBody:t}),o(Em,{plans:e.plans}),n.length>0&&o("section",{class:"panel","\
aria-label":"Limits and budgets",children:[o("header",{children:o("h2",{children:"Limits and budgets that apply"})}),o(Ie,{label:"Limits and budgets, and what i\
s left of each",columns:qm(),rows:n,id:r=>`${r.of} ${r.id} ${Du(r)}`})]})]})}function Cm({explanation:e,hasBody:t}){let{plans:n,refused:r,hedge:s,max_attempts:i}=e,
l=n.flatMap(h=>h.targets).filter(h=>h.turn!==null),[a]=l,c=n[0]?.targets.some(h=>h.turn!==null)??!1,p=r!==null||!a?"bad-edge":a.skip===null&&c?"good-edge":"";return o(
"section",{class:`panel alert verdict ${p}`,"aria-label":"Verdict",role:"status",children:[r!==null?o("p",{children:[o("strong",{class:"bad",children:"It would \
be refused."})," The caller would read: ",r]}):a?o("p",{children:[o("strong",{children:[n[0]?.drawn?"It would now go to ":"It would go to ",o("code",{children:a.
target})]}),!c&&", by a fallback: no target of the model itself would be tried",a.cost_nanodollars!==null&&o(R,{children:[", for about ",o("span",{title:Me(a.cost_nanodollars),
children:fe(a.cost_nanodollars,4)})]}),"."]}):o("p",{children:[o("strong",{class:"bad",children:"No target would be tried."})," The reasons are beside each."]}),
o("p",{class:"muted",children:[e.key===null?"For a key that may use every model":o(R,{children:["For the key ",o("strong",{children:e.key})]}),`, at most ${ve(i,
"attempt")}`,l.length>1&&` over ${ve(l.length,"target")}`,".",n[0]?.drawn&&" Chance has a part in the order: the next request may meet another one.",n[0]?.sticks&&
" Something of the request decides which target is first.",s?.target&&` ${s.target} is asked as well ${s.late_ms===null?"for streams that are late, once it is k\
nown when they are":`for a stream without content after ${s.late_ms} ms`}.`,!t&&" Without a request, costs are not known, and nothing special is needed."]})]})}
var Pm=[["Would cost","The prompt as estimated, none of it from a cache, and the answer that it allows, or 500 tokens"],["Million tokens in","What they cost in \
a prompt of this length"],["Out"],["In flight"]];function Em({plans:e}){return o("section",{class:"panel","aria-label":"Targets in their order",children:o("div",
{class:"scroll",tabIndex:0,role:"group","aria-label":"Targets, and why each is tried or skipped",children:o("table",{class:"grouped",children:[o("thead",{children:o(
"tr",{children:[o("th",{scope:"col",children:"Turn"}),o("th",{scope:"col",children:"Target"}),o("th",{scope:"col",children:"Why"}),Pm.map(([t,n])=>o("th",{scope:"\
col",class:"num",title:n,children:t},t))]})}),e.map((t,n)=>o("tbody",{children:[o("tr",{class:"first",children:o("th",{scope:"rowgroup",colSpan:7,children:o("di\
v",{class:"row",children:[t.on!==null&&o("span",{class:"muted small",children:["then, on ",t.on.map(r=>r.replace("_"," ")).join(", "),":"]}),o("a",{href:ne("/mo\
dels",{model:t.route}),children:t.route}),o("span",{class:"muted small",children:[t.policy,t.sticky!=="none"&&` · sticky by ${t.sticky}`]})]})})}),t.targets.map(
r=>o(Mm,{target:r},r.target))]},n))]})})})}function Mm({target:e}){let{turn:t,price:n,cost_nanodollars:r}=e;return o("tr",{children:[o("td",{class:t===null?"mut\
ed":void 0,children:t??"skipped"}),o("td",{children:o("code",{class:t===null?"muted":void 0,children:e.target})}),o("td",{class:"wrap",children:o(Dm,{target:e})}),
o("td",{class:"num",children:r===null?"–":o("span",{title:Me(r),children:fe(r,4)})}),n?o("td",{class:"num",children:fe(n.input*1e3)}):o("td",{class:"num muted",
children:"not known"}),o("td",{class:"num",children:n&&fe(n.output*1e3)}),o("td",{class:"num",children:z(e.in_flight)})]})}function Dm({target:e}){let t=Su(e,new Date);
return e.turn===null?o(Rr,{words:[{text:t,tone:e.skip==="down"||e.skip==="no_credential"?"bad":"warn"}]}):t!==""?o(Rr,{words:[{text:t,tone:"warn"}]}):o(Rr,{words:Bi(
e)})}function vs(e){return"budget"in e}var Rm={rpm:"requests a minute",tpm:"tokens a minute",concurrent:"requests at once"};function Du(e){return vs(e)?e.budget:
Rm[e.limit]}function _s(e,t){return vs(e)&&e.unit==="nanodollars"?fe(t):z(t)}function qm(){return[{key:"of",title:"Of",cell:e=>o(R,{children:[e.of," ",o("strong",
{children:e.name})]})},{key:"limit",title:"Limit",cell:Du},{key:"share",title:"",cell:e=>o(Tn,{part:e.most-e.remaining,whole:e.most})},{key:"used",title:"Used",
num:!0,cell:e=>_s(e,e.used)},{key:"held",title:"Held",num:!0,cell:e=>vs(e)?_s(e,e.held):""},{key:"remaining",title:"Left",num:!0,cell:e=>o("span",{class:e.remaining<=
0?"bad":void 0,children:e.remaining<=0?"nothing":_s(e,e.remaining)})},{key:"most",title:"Most",num:!0,cell:e=>_s(e,e.most)},{key:"reset",title:"Back",cell:e=>o(
$m,{row:e})}]}function $m({row:e}){let{zone:t}=F();return vs(e)?e.reset===null?o("span",{class:"muted",children:"never"}):o("span",{title:Ft(new Date(e.reset)),
children:mt(new Date(e.reset),t)}):o(R,{children:e.reset_ms?`all in ${Se(e.reset_ms*1e3)}`:""})}function Ru({values:e}){let t=Math.max(...e);return t>0?o("svg",{class:"spark",viewBox:`0 0 ${e.length*3} 18`,width:e.length*3,height:18,"aria-hidden":"true",children:e.
map((n,r)=>{let s=n>0?Math.max(1,18*n/t):.5;return o("rect",{x:r*3,y:18-s,width:2,height:s},r)})}):null}var ws=7*864e5;function In(e,t=Date.now()){switch(e.status){case"revoked":return{word:"unsaved"in e&&e.unsaved?"Revoked, not saved":"Revoked",tone:"unsaved"in e&&
e.unsaved?"bad":"muted"};case"team_revoked":return{word:"Team revoked",tone:"warn"};case"expired":return{word:"Expired",tone:"warn"};default:return("expires_at"in
e&&e.expires_at?Date.parse(e.expires_at)-t:ws)<ws?{word:"Expires soon",tone:"warn"}:{word:"Active",tone:"good"}}}function hn(e,t){return e==="nanodollars"?fe(t):
`${nn(t).replace(/\.?0+ /," ")} ${t===1?"token":"tokens"}`}var Am={hour:"an hour",day:"a day",week:"a week",month:"a month",total:"in total"};function Yi(e){return e.
slice(e.lastIndexOf("/")+1)}function Zi(e){let t=Yi(e.budget);return`${hn(e.unit,e.most)} ${Am[t]??"a "+t}`}function Ji({limit:e,most:t}){switch(e){case"rpm":return`${ve(
t,"request")} a minute`;case"tpm":return`${ve(t,"token")} a minute`;default:return`${ve(t,"request")} at once`}}function Qi(e){return[e.rpm!==null&&`${z(e.rpm)}\
 rpm`,e.tpm!==null&&`${z(e.tpm)} tpm`,e.concurrent!==null&&`${z(e.concurrent)} at once`].filter(n=>n!==!1).join(", ")}function Wo(e){return[...e.budgets??[],Qi(
e)].join()}function qu(e,t){let n=e.split("*").map(r=>r.replace(/[.+?^${}()|[\]\\]/g,"\\$&"));return new RegExp(`^${n.join(".*")}$`,"s").test(t)}function Ar({of:e}){let{word:t,tone:n}=In(e);return o("span",{class:`state-word ${n}`,children:t})}function Bo({of:e}){return o(R,{children:[o(Ar,{of:e}),o("spa\
n",{class:"second",children:e.source==="config"?"config file":"store"})]})}function jo({of:e}){let t=Qi(e);return!e.budgets&&t===""?o("span",{class:"muted",children:"\
none"}):o("div",{class:"words bounds",children:[e.budgets?.map(n=>o("span",{class:"whole",children:n},n)),t!==""&&o("span",{class:e.budgets?"second":void 0,children:t})]})}
function zn({models:e,all:t}){if(!e)return o("span",{class:"muted",children:"all"});if(t)return o(R,{children:e.join(", ")});let n=e.length-3;return o("div",{class:"\
words",title:e.join(", "),children:[e.slice(0,3).join(", "),n>0&&o("span",{class:"muted",children:[" + ",n]})]})}function Vo({spending:e,id:t}){let n=e.of.get(t);
return n?o("span",{class:"spent",children:[o(Ru,{values:n.days}),o("span",{title:Me(n.cost),children:fe(n.cost)})]}):o("span",{class:"muted",children:e.whole?fe(
0):"–"})}function Tt({title:e,onClose:t,aside:n,firm:r,children:s}){let i=pt(null);return de(()=>{let l=i.current;return l?.showModal(),()=>l?.close()},[]),o("dialog",{ref:i,
class:n?"aside":void 0,"aria-label":e,onClose:t,onCancel:l=>r==="all"&&l.preventDefault(),onClick:l=>!r&&l.target===i.current&&i.current?.close(),children:o("di\
v",{class:"dialog",children:[o("div",{class:"row",children:[o("h2",{children:e}),r!=="all"&&o("button",{class:"quiet rest",type:"button",onClick:()=>i.current?.
close(),children:"Close"})]}),s]})})}var Sn={name:"",team:"",models:"",rpm:"",tpm:"",concurrent:"",budgets:"",reserve:"expected",cut:!1,warn:"",expires_at:"",idempotency:"",explain:!1};function nl(e,t){
let n={...Sn,name:e.name,models:el(e.models),rpm:Xi(e.rpm),tpm:Xi(e.tpm),concurrent:Xi(e.concurrent),budgets:el(e.budgets),reserve:e.reserve??Sn.reserve,cut:e.cut,
warn:el(e.warn)};return"idempotency"in e?{...n,team:e.team??"",expires_at:e.expires_at===null?"":Rt(new Date(e.expires_at),t),idempotency:e.idempotency??"",explain:e.
explain}:n}function Lr(e,t,n){let r={},s=i=>e[i]!==t[i];return s("name")&&(r.name=e.name.trim()),s("team")&&(r.team=e.team||null),s("models")&&(r.models=tl(e.models)),
s("rpm")&&(r.rpm=xs(e.rpm,"rpm")),s("tpm")&&(r.tpm=xs(e.tpm,"tpm")),s("concurrent")&&(r.concurrent=xs(e.concurrent,"concurrent")),s("budgets")&&(r.budgets=tl(e.
budgets)),s("reserve")&&(r.reserve=e.reserve==="strict"?"strict":"expected"),s("cut")&&(r.cut=e.cut),s("warn")&&(r.warn=tl(e.warn)?.map(i=>xs(i.replace(/\s*%$/,
""),"warn")??0)??null),s("expires_at")&&(r.expires_at=e.expires_at===""?null:Kt(e.expires_at,n).toISOString()),s("idempotency")&&(r.idempotency=e.idempotency.trim()||
null),s("explain")&&(r.explain=e.explain),r}function Xi(e){return e===null?"":String(e)}function el(e){return(e??[]).join(", ")}function tl(e){let t=e.split(",").
map(n=>n.trim()).filter(n=>n!=="");return t.length>0?t:null}function xs(e,t){let n=e.replace(/[\s,_]/g,"");if(n==="")return null;if(!/^\d{1,15}$/.test(n))throw new wt(
400,"invalid_value",`A whole number is expected, and not ${e.trim()}.`,t);return Number(n)}function Gn(e,t){let[n,r]=q(!1),[s,i]=q(null);return{busy:n,error:s,start:()=>{r(!0),i(null),new Promise(a=>a(e())).then(t).catch(a=>i(tn(a))).finally(()=>r(!1))}}}
function St(e,t){if(e?.param!==t)return null;let n=e.message.startsWith(t+": ")?e.message.slice(t.length+2):e.message;return n.charAt(0).toUpperCase()+n.slice(1)}
function Un({change:e,action:t,fields:n,onCancel:r,danger:s,disabled:i,children:l}){let{busy:a,error:c,start:p}=e,h=pt(null);return de(()=>{c&&h.current?.querySelector(
"[aria-invalid]")?.focus()},[c]),o("form",{class:"form",ref:h,onSubmit:y=>{y.preventDefault(),!a&&!i&&p()},noValidate:!0,children:[l,o("div",{class:"end",children:[
c&&!n.includes(c.param??"")&&o("p",{class:"bad",role:"alert",children:c.message}),o("div",{class:"actions",children:[o("button",{type:"button",onClick:r,children:"\
Cancel"}),o("button",{class:s?"danger":"primary",disabled:a||i,children:t})]})]})]})}var Yo=Object.keys(Sn);function ol(e){let{draft:t,onChange:n,error:r}=e;return o(R,{children:[o("div",{class:"pair",children:[o(ae,{label:"Name",required:!0,autofocus:!0,
hint:"Printable, without spaces: svc-search",value:t.name,onInput:s=>n({name:s}),wrong:St(r,"name")}),o(Lm,{...e})]}),o(Au,{...e}),o(Lu,{...e}),o(Ou,{...e}),o(Nm,
{...e})]})}function rl(e){let{draft:t,onChange:n,error:r}=e;return o(R,{children:[o(ae,{label:"Name",required:!0,autofocus:!0,hint:"Printable, without spaces: r\
esearch",value:t.name,onInput:s=>n({name:s}),wrong:St(r,"name")}),o(Au,{...e}),o(Lu,{...e}),o(Ou,{...e})]})}function Lm({draft:e,onChange:t,error:n}){let s=(G("\
GET /admin/v1/teams",{query:{limit:1e3}}).data?.data??[]).filter(i=>i.status==="active").map(({name:i})=>({value:i,label:i}));return e.team!==""&&!s.some(({value:i})=>i===
e.team)&&s.push({value:e.team,label:e.team}),o(Ve,{label:"Team",value:e.team,options:[{value:"",label:"No team"},...s],onChange:i=>t({team:i}),wrong:St(n,"team")})}
var Om=16;function Au({draft:e,onChange:t,error:n}){let{models:r}=F(),s=e.models.split(",").map(l=>l.trim()).filter(l=>l!==""),i=l=>t({models:(s.includes(l)?s.filter(
a=>a!==l):[...s,l]).join(", ")});return o("div",{class:"field",children:[o(ae,{label:"Models",hint:"With commas; * stands for any run of characters: fast, embed\
-*. Empty allows all, later ones included.",value:e.models,onInput:l=>t({models:l}),wrong:St(n,"models")}),o("div",{class:"chips",role:"group","aria-label":"Mod\
els of the config",children:r.slice(0,Om).map(l=>o("button",{type:"button","aria-pressed":s.includes(l),onClick:()=>i(l),children:l},l))})]})}function Lu({draft:e,
onChange:t,error:n}){return o("fieldset",{children:[o("legend",{children:"Limits"}),o("div",{class:"thirds",children:[o(ae,{label:"Requests a minute",hint:"rpm;\
 empty for none",inputMode:"numeric",value:e.rpm,onInput:r=>t({rpm:r}),wrong:St(n,"rpm")}),o(ae,{label:"Tokens a minute",hint:"tpm, prompts and answers",inputMode:"\
numeric",value:e.tpm,onInput:r=>t({tpm:r}),wrong:St(n,"tpm")}),o(ae,{label:"Requests at once",hint:"concurrent",inputMode:"numeric",value:e.concurrent,onInput:r=>t(
{concurrent:r}),wrong:St(n,"concurrent")})]})]})}var Fm=["50usd/month","5usd/day","2Mtok/day","200usd/total"],Km=[{value:"expected",label:"What is usual: few re\
quests wait"},{value:"strict",label:"The most it can take: never exceeded"}];function Ou({draft:e,onChange:t,error:n}){let r=s=>t({budgets:e.budgets.trim()===""?
s:`${e.budgets.replace(/[\s,]+$/,"")}, ${s}`});return o("fieldset",{children:[o("legend",{children:"Budgets"}),o(ae,{label:"So much in a period",hint:"Units: us\
d, tok, ktok, Mtok. Periods: hour, day, week, month, total. Several with commas; empty for none.",value:e.budgets,onInput:s=>t({budgets:s}),wrong:St(n,"budgets")}),
o(Or,{label:"Examples of budgets",texts:Fm,onPick:r}),o("div",{class:"pair",children:[o(Ve,{label:"While it runs, a call holds",value:e.reserve,options:Km,onChange:s=>t(
{reserve:s}),wrong:St(n,"reserve")}),o(ae,{label:"Warn when spent, in percent",hint:"50, 90. Empty: no warning",value:e.warn,onInput:s=>t({warn:s}),wrong:St(n,"\
warn")})]}),o(gn,{label:"End streams with an error when a budget has no room for more of them",checked:e.cut,onChange:s=>t({cut:s})})]})}var $u=[["30 days",30],
["90 days",90],["1 year",365]];function Nm({draft:e,onChange:t,error:n}){let{zone:r}=F(),s=i=>{let l=$u.find(([a])=>a===i)?.[1];t({expires_at:l===void 0?"":Rt(new Date(
Date.now()+l*864e5),r)})};return o("fieldset",{children:[o("legend",{children:"Expiry and repeats"}),o("div",{class:"pair",children:[o("div",{class:"field",children:[
o(ae,{label:`Expires, ${r}`,type:"datetime-local",hint:"Empty: never",value:e.expires_at,onInput:i=>t({expires_at:i}),wrong:St(n,"expires_at")}),o(Or,{label:"Li\
ves",texts:[...$u.map(([i])=>i),"never"],onPick:s})]}),o("div",{class:"field",children:[o(ae,{label:"Keep answers for repeats",hint:"For requests with an Idempo\
tency-Key: 1m to 720h. Empty refuses the header",value:e.idempotency,onInput:i=>t({idempotency:i}),wrong:St(n,"idempotency")}),o(Or,{label:"Examples of times",texts:[
"24h","1h"],onPick:i=>t({idempotency:i})})]})]}),o(gn,{label:o("span",{children:["Its requests may ask what was tried for them, with the header ",o("code",{children:"\
Weir-Explain: true"})]}),checked:e.explain,onChange:i=>t({explain:i})})]})}function Or({label:e,texts:t,onPick:n}){return o("div",{class:"chips",role:"group","a\
ria-label":e,children:t.map(r=>o("button",{type:"button",onClick:()=>n(r),children:r},r))})}function sl({minted:e,onClose:t}){let n=Im(e);return o(Tt,{title:`The secret of ${e.name}`,firm:"all",onClose:t,children:[o("p",{children:"Copy it now. Weir kee\
ps only a digest of it, so that it cannot be shown again."}),o("div",{class:"secret",children:[o("code",{children:e.key}),o(at,{primary:!0,text:e.key,label:"Cop\
y secret"})]}),o("div",{class:"field",children:[o("div",{class:"row",children:[o("span",{class:"label",children:"Try it"}),o("span",{class:"rest",children:o(at,
{text:n,label:"Copy curl"})})]}),o("pre",{class:"code",children:n})]}),e.warnings.map(r=>o("p",{class:"warn",children:r},r)),o("div",{class:"actions",children:o(
"button",{onClick:t,children:"Done, I have it"})})]})}function Im(e){let{models:t,url:n}=F(),r=t.find(i=>!i.includes("*")&&(e.models??["*"]).some(l=>qu(l,i)))??
"MODEL",s=JSON.stringify({model:r,messages:[{role:"user",content:"Hello!"}]});return`curl ${n}/v1/chat/completions -H ${kt("Authorization: Bearer "+e.key)} -H '\
Content-Type: application/json' -d ${kt(s)}`}function Wn(){return[le().params.get("do"),He]}function He(){zm()&&te({do:null},!0)}function zm(){return new URLSearchParams(location.search).has("do")}function ft(e){
te({do:e})}function ks(e){let[t,n]=q(e);return{draft:t,onChange:r=>n(s=>({...s,...r}))}}function Hn(e,t=[],n=t.length>0){bs([e,...t].join(" "),n),fs()}function Ts({
team:e}){let{zone:t}=F(),{draft:n,onChange:r}=ks({...Sn,team:e}),[s,i]=q(null),l=Gn(()=>We("POST /admin/v1/keys",{body:{...Lr(n,Sn,t),name:n.name.trim()}}),a=>{
i(a),Hn(`The key ${a.name} works now.`)});return s?o(sl,{minted:s,onClose:He}):o(Tt,{title:"Create a key",aside:!0,firm:"beside",onClose:He,children:o(Un,{change:l,
action:"Create key",fields:Yo,onCancel:He,children:o(ol,{draft:n,onChange:r,error:l.error})})})}function Fu({of:e}){let{zone:t}=F(),[n]=q(()=>nl(e,t)),{draft:r,
onChange:s}=ks(n),i=Gn(()=>We("PATCH /admin/v1/keys/{key}",{path:{key:e.id},body:Lr(r,n,t)}),l=>{Hn(`The key ${l.name} is changed. The change holds already.`,l.
warnings),He()});return o(Tt,{title:`Change ${e.name}`,aside:!0,firm:"beside",onClose:He,children:o(Un,{change:i,action:"Save",fields:Yo,onCancel:He,disabled:Iu(
r,n),children:o(ol,{draft:r,onChange:s,error:i.error})})})}function Ku(){let{zone:e}=F(),{draft:t,onChange:n}=ks(Sn),r=Gn(()=>We("POST /admin/v1/teams",{body:{...Lr(
t,Sn,e),name:t.name.trim()}}),s=>{He(),Fn(ne("/teams/"+s.id)),Hn(`The team ${s.name} is made. Keys can join it now.`,s.warnings)});return o(Tt,{title:"Create a \
team",aside:!0,firm:"beside",onClose:He,children:o(Un,{change:r,action:"Create team",fields:Yo,onCancel:He,children:o(rl,{draft:t,onChange:n,error:r.error})})})}
function Nu({of:e}){let{zone:t}=F(),[n]=q(()=>nl(e,t)),{draft:r,onChange:s}=ks(n),i=Gn(()=>We("PATCH /admin/v1/teams/{team}",{path:{team:e.id},body:Lr(r,n,t)}),
l=>{Hn(`The team ${l.name} is changed. The change holds for all its keys already.`,l.warnings),He()});return o(Tt,{title:`Change ${e.name}`,aside:!0,firm:"besid\
e",onClose:He,children:o(Un,{change:i,action:"Save",fields:Yo,onCancel:He,disabled:Iu(r,n),children:o(rl,{draft:r,onChange:s,error:i.error})})})}function Iu(e,t){
return Yo.every(n=>e[n]===t[n])}function zu({of:e}){let{zone:t}=F(),[n,r]=q(""),[s,i]=q(null),l=Gn(()=>We("POST /admin/v1/keys/{key}/rotate",{path:{key:e.id},body:n.
trim()===""?{}:{grace:n.trim()}}),a=>{i(a),Hn(a.previous_until?`${a.name} has another secret. The one before works until ${mt(new Date(a.previous_until),t)}.`:`${a.
name} has another secret. The one before is refused.`)});return s?o(sl,{minted:s,onClose:He}):o(Tt,{title:`Rotate ${e.name}`,firm:"beside",onClose:He,children:o(
Un,{change:l,action:"Rotate",fields:["grace"],onCancel:He,children:[o("p",{children:"The key gets another secret, and keeps its name, limits and budgets."}),e.previous_until&&
o("p",{class:"warn",children:["The secret before the last rotation works until ",mt(new Date(e.previous_until),t),". It ends now."]}),o("div",{class:"field",children:[
o(ae,{label:"How long the secret until now goes on working",autofocus:!0,placeholder:"not at all",hint:"Such as 30m, 12h, 7d, 2w. Empty ends it at once.",value:n,
onInput:r,wrong:St(l.error,"grace")}),o(Or,{label:"Examples of times",texts:["1h","24h","7d"],onPick:r})]})]})})}function Gu({of:e,lastUsed:t}){let[n,r]=q(""),[
s,i]=q(!1),l=Gn(()=>We("DELETE /admin/v1/keys/{key}",{path:{key:e.id},query:s?{now:s}:{}}),a=>{a.unsaved?Hn(`${a.name} is refused here, but the store does not h\
ave that yet: ${a.unsaved.reason}`,[],!0):Hn(`${a.name} is revoked.`),He()});return o(Tt,{title:`Revoke ${e.name}`,firm:"beside",onClose:He,children:o(Un,{change:l,
action:"Revoke",danger:!0,disabled:n!==e.name,fields:[],onCancel:He,children:[o("p",{children:["The key is refused from then on, everywhere and for good. ",t]}),
o(gn,{label:"End its running requests as well (--now). Otherwise they finish",checked:s,onChange:i}),o(ae,{label:`Type ${e.name} to revoke it`,autofocus:!0,value:n,
onInput:r})]})})}function Uu({of:e,keys:t}){let[n,r]=q(""),s=Gn(()=>We("DELETE /admin/v1/teams/{team}",{path:{team:e.id}}),i=>{Hn(`The team ${i.name} is revoked\
. Its keys are refused until they are in another one.`),He()});return o(Tt,{title:`Revoke ${e.name}`,firm:"beside",onClose:He,children:o(Un,{change:s,action:"Re\
voke",danger:!0,disabled:n!==e.name,fields:[],onCancel:He,children:[o("p",{children:["This is for good. ",t===null?"All its keys are":t===0?"It has no keys that\
 would be":t===1?"Its one key is":`Its ${t} keys are`," refused; running requests finish. A key works again once it is in another team."]}),o(ae,{label:`Type ${e.
name} to revoke it`,autofocus:!0,value:n,onInput:r})]})})}var Zo="other",il=new Map;function Hu(e){let t=new Set;for(let n of e){let r=il.get(n);r!==void 0&&t.add(r)}return e.map(n=>Gm(n,t))}function Gm(e,t){if(e===Zo)
return 8;let n=il.get(e);if(n!==void 0)return n;let r=Um(e)%7;for(let s=0;s<7&&t.has(r+1);s++)r=(r+1)%7;return t.add(r+1),il.set(e,r+1),r+1}function Um(e){let t=2166136261;
for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619)>>>0;return t}function Jo(e){let t=document.createElement("i");t.style.color=e,t.hidden=!0,document.
body.append(t);let n=getComputedStyle(t).color;return t.remove(),n}var Hm=7;function ll(e,t){return e.hour!==void 0?new Date(e.hour):Kt(e.day??(e.month??"1970-01")+"-01",t)}function Cn(e,t,n,r){let s=[];for(let i=Wm(e,n,r);i<t&&
s.length<5e3;i=Bm(i,n,r))s.push(i);return s}function Wm(e,t,n){if(t==="hour")return e;let r=Rt(e,n).slice(0,10);return Kt(t==="day"?r:r.slice(0,8)+"01",n)}function Bm(e,t,n){
if(t==="hour")return new Date(e.getTime()+36e5);let[r=0,s=1,i=1]=Rt(e,n).slice(0,10).split("-").map(Number),l=t==="day"?new Date(Date.UTC(r,s-1,i+1)):new Date(Date.
UTC(r,s,1));return Kt(l.toISOString().slice(0,10),n)}function po(e,t){switch(t){case"team":return e.team===""?"no team":e.team_name||e.key===void 0&&e.name||e.team||
"";case"key":return e.name||e.key||"";case"tag":return e.tag??"";case"provider":return e.provider??"";default:return e.model??""}}function Qo({rows:e,xs:t,zone:n,
group:r,value:s}){let i=new Map;for(let p of e)i.set(r(p),(i.get(r(p))??0)+s(p));let l=[...i].filter(([p,h])=>h>0&&p!==Zo).toSorted((p,h)=>h[1]-p[1]).slice(0,Hm).
map(([p])=>p),a=new Map(l.map(p=>[p,{name:p,values:t.map(()=>0)}])),c=new Map(t.map((p,h)=>[p.getTime(),h]));for(let p of e){let h=a.has(r(p))?r(p):Zo;if(s(p)===
0)continue;let m=a.get(h);m||a.set(h,m={name:h,values:t.map(()=>0)});let y=c.get(ll(p,n).getTime());y!==void 0&&(m.values[y]=(m.values[y]??0)+s(p))}return[...a.
values()]}function Wu(e,t,n){let r=new Map(e.map(s=>[new Date(s.at??0).getTime(),s[n]]));return[["p50",1],["p95",6],["p99",8]].map(([s,i])=>({name:s,slot:i,values:t.
map(l=>r.get(l.getTime())?.[`${s}_us`]??null)}))}var al="weir-scheme",Bu=["light","dark","system"];function Ss(){try{let e=localStorage.getItem(al);return e==="light"||e==="dark"?e:"system"}catch{return"system"}}
function ju(e){try{e==="system"?localStorage.removeItem(al):localStorage.setItem(al,e)}catch{}Fr(e)}function Fr(e){e==="system"?delete document.documentElement.
dataset.scheme:document.documentElement.dataset.scheme=e,Kr.dispatchEvent(new Event("scheme"))}var Kr=new EventTarget;matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",()=>Kr.dispatchEvent(new Event("scheme")));var jm="uplot",Vm="u-hz",Ym="u-vt",Zm="u-title",Jm="u-wrap",Qm="u-under",Xm="u-over",ef="u-axis",go="u-off",tf="u-select",nf="u-cursor-x",of="u-cursor-y",rf="u-\
cursor-pt",sf="u-legend",lf="u-live",af="u-inline",uf="u-series",cf="u-marker",Vu="u-label",df="u-value",Ir="width",zr="height";var Yu="bottom",Xo="left",ul="right",Cl="#000",Zu=Cl+"0",cl="mousemove",Ju="mousedown",dl="mouseup",Qu="mouseenter",Xu="mouseleave",ec="dblclick",pf="resize",mf="\
scroll",tc="change",Ds="dppxchange",Pl="--",ir=typeof window<"u",hl=ir?document:null,tr=ir?window:null,ff=ir?navigator:null,ye,Cs;function bl(){let e=devicePixelRatio;
ye!=e&&(ye=e,Cs&&_l(tc,Cs,bl),Cs=matchMedia(`(min-resolution: ${ye-.001}dppx) and (max-resolution: ${ye+.001}dppx)`),ho(tc,Cs,bl),tr.dispatchEvent(new CustomEvent(
Ds)))}function Nt(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function yl(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Ae(e,t,n){
e.style[t]=n+"px"}function on(e,t,n,r){let s=hl.createElement(e);return t!=null&&Nt(s,t),n?.insertBefore(s,r),s}function Vt(e,t){return on("div",e,t)}var nc=new WeakMap;
function bn(e,t,n,r,s){let i="translate("+t+"px,"+n+"px)",l=nc.get(e);i!=l&&(e.style.transform=i,nc.set(e,i),t<0||n<0||t>r||n>s?Nt(e,go):yl(e,go))}var oc=new WeakMap;
function rc(e,t,n){let r=t+n,s=oc.get(e);r!=s&&(oc.set(e,r),e.style.background=t,e.style.borderColor=n)}var sc=new WeakMap;function ic(e,t,n,r){let s=t+""+n,i=sc.
get(e);s!=i&&(sc.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=r?-t/2+"px":0,e.style.marginTop=r?-n/2+"px":0)}var El={passive:!0},gf={...El,
capture:!0};function ho(e,t,n,r){t.addEventListener(e,n,r?gf:El)}function _l(e,t,n,r){t.removeEventListener(e,n,El)}ir&&bl();function rn(e,t,n,r){let s;n=n||0,r=
r||t.length-1;let i=r<=2147483647;for(;r-n>1;)s=i?n+r>>1:It((n+r)/2),t[s]<e?n=s:r=s;return e-t[n]<=t[r]-e?n:r}function Ac(e){return(n,r,s)=>{let i=-1,l=-1;for(let a=r;a<=
s;a++)if(e(n[a])){i=a;break}for(let a=s;a>=r;a--)if(e(n[a])){l=a;break}return[i,l]}}var Lc=e=>e!=null,Oc=e=>e!=null&&e>0,$s=Ac(Lc),hf=Ac(Oc);function bf(e,t,n,r=0,s=!1){
let i=s?hf:$s,l=s?Oc:Lc;[t,n]=i(e,t,n);let a=e[t],c=e[t];if(t>-1)if(r==1)a=e[t],c=e[n];else if(r==-1)a=e[n],c=e[t];else for(let p=t;p<=n;p++){let h=e[p];l(h)&&(h<
a?a=h:h>c&&(c=h))}return[a??Ce,c??-Ce]}function As(e,t,n,r){let s=uc(e),i=uc(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let l=n==10?Pn:Fc,a=s==1?It:Yt,c=i==1?Yt:It,
p=a(l(Xe(e))),h=c(l(Xe(t))),m=nr(n,p),y=nr(n,h);return n==10&&(p<0&&(m=Pe(m,-p)),h<0&&(y=Pe(y,-h))),r||n==2?(e=m*s,t=y*i):(e=zc(e,m),t=Ls(t,y)),[e,t]}function Ml(e,t,n,r){
let s=As(e,t,n,r);return e==0&&(s[0]=0),t==0&&(s[1]=0),s}var Dl=.1,lc={mode:3,pad:Dl},Ur={pad:0,soft:null,mode:0},yf={min:Ur,max:Ur};function Rs(e,t,n,r){return Os(
n)?ac(e,t,n):(Ur.pad=n,Ur.soft=r?0:null,Ur.mode=r?3:0,ac(e,t,yf))}function he(e,t){return e??t}function _f(e,t,n){for(t=he(t,0),n=he(n,e.length-1);t<=n;){if(e[t]!=
null)return!0;t++}return!1}function ac(e,t,n){let r=n.min,s=n.max,i=he(r.pad,0),l=he(s.pad,0),a=he(r.hard,-Ce),c=he(s.hard,Ce),p=he(r.soft,Ce),h=he(s.soft,-Ce),
m=he(r.mode,0),y=he(s.mode,0),b=t-e,w=Pn(b),M=Ct(Xe(e),Xe(t)),P=Pn(M),C=Xe(P-w);(b<1e-24||C>10)&&(b=0,(e==0||t==0)&&(b=1e-24,m==2&&p!=Ce&&(i=0),y==2&&h!=-Ce&&(l=
0)));let x=b||M||1e3,$=Pn(x),T=nr(10,It($)),X=x*(b==0?e==0?.1:1:i),N=Pe(zc(e-X,T/10),24),ee=e>=p&&(m==1||m==3&&N<=p||m==2&&N>=p)?p:Ce,V=Ct(a,N<ee&&e>=ee?ee:sn(ee,
N)),re=x*(b==0?t==0?.1:1:l),j=Pe(Ls(t+re,T/10),24),D=t<=h&&(y==1||y==3&&j>=h||y==2&&j<=h)?h:-Ce,Y=sn(c,j>D&&t<=D?D:Ct(D,j));return V==Y&&V==0&&(Y=100),[V,Y]}var vf=new Intl.
NumberFormat(ir?ff.language:"en-US"),Rl=e=>vf.format(e),zt=Math,Ms=zt.PI,Xe=zt.abs,It=zt.floor,Qe=zt.round,Yt=zt.ceil,sn=zt.min,Ct=zt.max,nr=zt.pow,uc=zt.sign,Pn=zt.
log10,Fc=zt.log2,wf=(e,t=1)=>zt.sinh(e)*t,pl=(e,t=1)=>zt.asinh(e/t),Ce=1/0;function cc(e){return(Pn((e^e>>31)-(e>>31))|0)+1}function vl(e,t,n){return sn(Ct(e,t),
n)}function Kc(e){return typeof e=="function"}function ue(e){return Kc(e)?e:()=>e}var xf=()=>{},Nc=e=>e,Ic=(e,t)=>t,kf=e=>null,dc=e=>!0,pc=(e,t)=>e==t,Tf=/\.\d*?(?=9{6,}|0{6,})/gm,
bo=e=>{if(Uc(e)||jn.has(e))return e;let t=`${e}`,n=t.match(Tf);if(n==null)return e;let r=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,i]=t.split("e");return+`${bo(
s)}e${i}`}return Pe(e,r)};function mo(e,t){return bo(Pe(bo(e/t))*t)}function Ls(e,t){return bo(Yt(bo(e/t))*t)}function zc(e,t){return bo(It(bo(e/t))*t)}function Pe(e,t=0){
if(Uc(e))return e;let n=10**t,r=e*n*(1+Number.EPSILON);return Qe(r)/n}var jn=new Map;function Gc(e){return((""+e).split(".")[1]||"").length}function Wr(e,t,n,r){
let s=[],i=r.map(Gc);for(let l=t;l<n;l++){let a=Xe(l),c=Pe(nr(e,l),a);for(let p=0;p<r.length;p++){let h=e==10?+`${r[p]}e${l}`:r[p]*c,m=(l>=0?0:a)+(l>=i[p]?0:i[p]),
y=e==10?h:Pe(h,m);s.push(y),jn.set(y,m)}}return s}var Hr={},ql=[],or=[null,null],Bn=Array.isArray,Uc=Number.isInteger,Sf=e=>e===void 0;function mc(e){return typeof e==
"string"}function Os(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Cf(e){return e!=null&&typeof e=="object"}var Pf=Object.getPrototypeOf(
Uint8Array),Hc="__proto__";function rr(e,t=Os){let n;if(Bn(e)){let r=e.find(s=>s!=null);if(Bn(r)||t(r)){n=Array(e.length);for(let s=0;s<e.length;s++)n[s]=rr(e[s],
t)}else n=e.slice()}else if(e instanceof Pf)n=e.slice();else if(t(e)){n={};for(let r in e)r!=Hc&&(n[r]=rr(e[r],t))}else n=e;return n}function Ye(e){let t=arguments;
for(let n=1;n<t.length;n++){let r=t[n];for(let s in r)s!=Hc&&(Os(e[s])?Ye(e[s],rr(r[s])):e[s]=rr(r[s]))}return e}var Ef=0,Mf=1,Df=2;function Rf(e,t,n){for(let r=0,
s,i=-1;r<t.length;r++){let l=t[r];if(l>i){for(s=l-1;s>=0&&e[s]==null;)e[s--]=null;for(s=l+1;s<n&&e[s]==null;)e[i=s++]=null}}}function qf(e,t){if(Lf(e)){let l=e[0].
slice();for(let a=1;a<e.length;a++)l.push(...e[a].slice(1));return Of(l[0])||(l=Af(l)),l}let n=new Set;for(let l=0;l<e.length;l++){let c=e[l][0],p=c.length;for(let h=0;h<
p;h++)n.add(c[h])}let r=[Array.from(n).sort((l,a)=>l-a)],s=r[0].length,i=new Map;for(let l=0;l<s;l++)i.set(r[0][l],l);for(let l=0;l<e.length;l++){let a=e[l],c=a[0];
for(let p=1;p<a.length;p++){let h=a[p],m=Array(s).fill(void 0),y=t?t[l][p]:Mf,b=[];for(let w=0;w<h.length;w++){let M=h[w],P=i.get(c[w]);M===null?y!=Ef&&(m[P]=M,
y==Df&&b.push(P)):m[P]=M}Rf(m,b,s),r.push(m)}}return r}var $f=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function Af(e){let t=e[0],n=t.
length,r=Array(n);for(let i=0;i<r.length;i++)r[i]=i;r.sort((i,l)=>t[i]-t[l]);let s=[];for(let i=0;i<e.length;i++){let l=e[i],a=Array(n);for(let c=0;c<n;c++)a[c]=
l[r[c]];s.push(a)}return s}function Lf(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let s=e[r][0];if(s.length!=n)return!1;if(s!=t){for(let i=0;i<n;i++)
if(s[i]!=t[i])return!1}}return!0}function Of(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,s=n-1;for(;r<=s&&e[r]==null;)r++;for(;s>=r&&e[s]==null;)s--;if(s<=
r)return!0;let i=Ct(1,It((s-r+1)/t));for(let l=e[r],a=r+i;a<=s;a+=i){let c=e[a];if(c!=null){if(c<=l)return!1;l=c}}return!0}var Wc=["January","February","March",
"April","May","June","July","August","September","October","November","December"],Bc=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function jc(e){
return e.slice(0,3)}var Ff=Bc.map(jc),Kf=Wc.map(jc),Nf={MMMM:Wc,MMM:Kf,WWWW:Bc,WWW:Ff};function Nr(e){return(e<10?"0":"")+e}function If(e){return(e<10?"00":e<100?
"0":"")+e}var zf={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Nr(e.getMonth()+
1),M:e=>e.getMonth()+1,DD:e=>Nr(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Nr(e.getHours()),H:e=>e.getHours(),
h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Nr(e.
getMinutes()),m:e=>e.getMinutes(),ss:e=>Nr(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>If(e.getMilliseconds())};function $l(e,t){t=t||Nf;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,
s;for(;s=r.exec(e);)n.push(s[0][0]=="{"?zf[s[1]]:s[0]);return i=>{let l="";for(let a=0;a<n.length;a++)l+=typeof n[a]=="string"?n[a]:n[a](i,t);return l}}var Gf=new Intl.
DateTimeFormat().resolvedOptions().timeZone;function Uf(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Gf?n=e:(n=new Date(
e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var Vc=e=>e%1==0,qs=[1,2,2.5,5],Hf=Wr(10,-32,0,qs),Yc=Wr(10,0,32,qs),Wf=Yc.filter(
Vc),fo=Hf.concat(Yc),Al=`
`,Zc="{YYYY}",fc=Al+Zc,Jc="{M}/{D}",Gr=Al+Jc,Ps=Gr+"/{YY}",Qc="{aa}",Bf="{h}:{mm}",er=Bf+Qc,gc=Al+er,hc=":{ss}",we=null;function Xc(e){let t=e*1e3,n=t*60,r=n*60,
s=r*24,i=s*30,l=s*365,c=(e==1?Wr(10,0,3,qs).filter(Vc):Wr(10,-3,0,qs)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,s,s*2,s*3,s*
4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,i,i*2,i*3,i*4,i*6,l,l*2,l*5,l*10,l*25,l*50,l*100]),p=[[l,Zc,we,we,we,we,we,we,1],[s*28,"{MMM}",fc,we,we,we,we,we,1],[s,Jc,fc,we,
we,we,we,we,1],[r,"{h}"+Qc,Ps,we,Gr,we,we,we,1],[n,er,Ps,we,Gr,we,we,we,1],[t,hc,Ps+" "+er,we,Gr+" "+er,we,gc,we,1],[e,hc+".{fff}",Ps+" "+er,we,Gr+" "+er,we,gc,
we,1]];function h(m){return(y,b,w,M,P,C)=>{let x=[],$=P>=l,T=P>=i&&P<l,X=m(w),N=Pe(X*e,3),ee=ml(X.getFullYear(),$?0:X.getMonth(),T||$?1:X.getDate()),V=Pe(ee*e,3);
if(T||$){let re=T?P/i:0,j=$?P/l:0,D=N==V?N:Pe(ml(ee.getFullYear()+j,ee.getMonth()+re,1)*e,3),Y=new Date(Qe(D/e)),L=Y.getFullYear(),J=Y.getMonth();for(let B=0;D<=
M;B++){let ce=ml(L+j*B,J+re*B,1),W=ce-m(Pe(ce*e,3));D=Pe((+ce+W)*e,3),D<=M&&x.push(D)}}else{let re=P>=s?s:P,j=It(w)-It(N),D=V+j+Ls(N-V,re);x.push(D);let Y=m(D),
L=Y.getHours()+Y.getMinutes()/n+Y.getSeconds()/r,J=P/r,B=y.axes[b]._space,ce=C/B;for(;D=Pe(D+P,e==1?0:3),!(D>M);)if(J>1){let W=It(Pe(L+J,6))%24,pe=m(D).getHours()-
W;pe>1&&(pe=-1),D-=pe*r,L=(L+J)%24;let ke=x[x.length-1];Pe((D-ke)/P,3)*ce>=.7&&x.push(D)}else x.push(D)}return x}}return[c,p,h]}var[jf,Vf,Yf]=Xc(1),[Zf,Jf,Qf]=Xc(
.001);Wr(2,-53,53,[1]);function bc(e,t){return e.map(n=>n.map((r,s)=>s==0||s==8||r==null?r:t(s==1||n[8]==0?r:n[1]+r)))}function yc(e,t){return(n,r,s,i,l)=>{let a=t.
find(w=>l>=w[0])||t[t.length-1],c,p,h,m,y,b;return r.map(w=>{let M=e(w),P=M.getFullYear(),C=M.getMonth(),x=M.getDate(),$=M.getHours(),T=M.getMinutes(),X=M.getSeconds(),
N=P!=c&&a[2]||C!=p&&a[3]||x!=h&&a[4]||$!=m&&a[5]||T!=y&&a[6]||X!=b&&a[7]||a[1];return c=P,p=C,h=x,m=$,y=T,b=X,N(M)})}}function Xf(e,t){let n=$l(t);return(r,s,i,l,a)=>s.
map(c=>n(e(c)))}function ml(e,t,n){return new Date(e,t,n)}function _c(e,t){return t(e)}var eg="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function vc(e,t){return(n,r,s,i)=>i==
null?Pl:t(e(r))}function tg(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function ng(e,t){return e.series[t].fill(
e,t)}var og={show:!0,live:!0,isolate:!1,mount:xf,markers:{show:!0,width:2,stroke:tg,fill:ng,dash:"solid"},idx:null,idxs:null,values:[]};function rg(e,t){let n=e.
cursor.points,r=Vt(),s=n.size(e,t);Ae(r,Ir,s),Ae(r,zr,s);let i=s/-2;Ae(r,"marginLeft",i),Ae(r,"marginTop",i);let l=n.width(e,t,s);return l&&Ae(r,"borderWidth",l),
r}function sg(e,t){let n=e.series[t].points;return n._fill||n._stroke}function ig(e,t){let n=e.series[t].points;return n._stroke||n._fill}function lg(e,t){return e.
series[t].points.size}var fl=[0,0];function ag(e,t,n){return fl[0]=t,fl[1]=n,fl}function Es(e,t,n,r=!0){return s=>{s.button==0&&(!r||s.target==t)&&n(s)}}function gl(e,t,n,r=!0){
return s=>{(!r||s.target==t)&&n(s)}}var ug={show:!0,x:!0,y:!0,lock:!1,move:ag,points:{one:!1,show:rg,size:lg,width:0,stroke:ig,fill:sg},bind:{mousedown:Es,mouseup:Es,
click:Es,dblclick:Es,mousemove:gl,mouseleave:gl,mouseenter:gl},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},
_x:!1,_y:!1},focus:{dist:(e,t,n,r,s)=>r-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ed={
show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ll=Ye({},ed,{filter:Ic}),td=Ye({},Ll,{size:10}),nd=Ye({},ed,{show:!1}),Ol='12px system-ui, -apple-system, "Segoe UI",\
 Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',od="bold "+Ol,rd=1.5,wc={
show:!0,scale:"x",stroke:Cl,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:od,side:2,grid:Ll,ticks:td,border:nd,font:Ol,lineGap:rd,rotate:0},
cg="Value",dg="Time",xc={show:!0,scale:"x",auto:!1,sorted:1,min:Ce,max:-Ce,idxs:[]};function pg(e,t,n,r,s){return t.map(i=>i==null?"":Rl(i))}function mg(e,t,n,r,s,i,l){
let a=[],c=jn.get(s)||0;n=l?n:Pe(Ls(n,s),c);for(let p=n;p<=r;p=Pe(p+s,c))a.push(Object.is(p,-0)?0:p);return a}function wl(e,t,n,r,s,i,l){let a=[],c=e.scales[e.axes[t].
scale].log,p=c==10?Pn:Fc,h=It(p(n));s=nr(c,h),c==10&&(s=fo[rn(s,fo)]);let m=n,y=s*c;c==10&&(y=fo[rn(y,fo)]);do a.push(m),m=m+s,c==10&&!jn.has(m)&&(m=Pe(m,jn.get(
s))),m>=y&&(s=m,y=s*c,c==10&&(y=fo[rn(y,fo)]));while(m<=r);return a}function fg(e,t,n,r,s,i,l){let c=e.scales[e.axes[t].scale].asinh,p=r>c?wl(e,t,Ct(c,n),r,s):[
c],h=r>=0&&n<=0?[0]:[];return(n<-c?wl(e,t,Ct(c,-r),-n,s):[c]).reverse().map(y=>-y).concat(h,p)}var sd=/./,gg=/[12357]/,hg=/[125]/,kc=/1/,xl=(e,t,n,r)=>e.map((s,i)=>t==
4&&s==0||i%r==0&&n.test(s.toExponential()[s<0?1:0])?s:null);function bg(e,t,n,r,s){let i=e.axes[n],l=i.scale,a=e.scales[l],c=e.valToPos,p=i._space,h=c(10,l),m=c(
9,l)-h>=p?sd:c(7,l)-h>=p?gg:c(5,l)-h>=p?hg:kc;if(m==kc){let y=Xe(c(1,l)-h);if(y<p)return xl(t.slice().reverse(),a.distr,m,Yt(p/y)).reverse()}return xl(t,a.distr,
m,1)}function yg(e,t,n,r,s){let i=e.axes[n],l=i.scale,a=i._space,c=e.valToPos,p=Xe(c(1,l)-c(2,l));return p<a?xl(t.slice().reverse(),3,sd,Yt(a/p)).reverse():t}function _g(e,t,n,r){
return r==null?Pl:t==null?"":Rl(t)}var Tc={show:!0,scale:"y",stroke:Cl,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:od,side:3,grid:Ll,ticks:td,
border:nd,font:Ol,lineGap:rd,rotate:0};function vg(e,t){let n=3+(e||1)*2;return Pe(n*t,3)}function wg(e,t){let{scale:n,idxs:r}=e.series[0],s=e._data[0],i=e.valToPos(
s[r[0]],n,!0),l=e.valToPos(s[r[1]],n,!0),a=Xe(l-i),c=e.series[t],p=a/(c.points.space*ye);return r[1]-r[0]<=p}var Sc={scale:null,auto:!0,sorted:0,min:Ce,max:-Ce},
id=(e,t,n,r,s)=>s,Cc={show:!0,auto:!0,sorted:0,gaps:id,alpha:1,facets:[Ye({},Sc,{scale:"x"}),Ye({},Sc,{scale:"y"})]},Pc={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,
gaps:id,alpha:1,points:{show:wg,filter:null},values:null,min:Ce,max:-Ce,idxs:[],path:null,clip:null};function xg(e,t,n,r,s){return n/10}var ld={time:!0,auto:!0,
distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},kg=Ye({},ld,{time:!1,ori:1}),Ec={};function ad(e,t){let n=Ec[e];return n||(n={key:e,plots:[],sub(r){n.plots.
push(r)},unsub(r){n.plots=n.plots.filter(s=>s!=r)},pub(r,s,i,l,a,c,p){for(let h=0;h<n.plots.length;h++)n.plots[h]!=s&&n.plots[h].pub(r,s,i,l,a,c,p)}},e!=null&&(Ec[e]=
n)),n}var sr=1,kl=2;function yo(e,t,n){let r=e.mode,s=e.series[t],i=r==2?e._data[t]:e._data,l=e.scales,a=e.bbox,c=i[0],p=r==2?i[1]:i[t],h=r==2?l[s.facets[0].scale]:
l[e.series[0].scale],m=r==2?l[s.facets[1].scale]:l[s.scale],y=a.left,b=a.top,w=a.width,M=a.height,P=e.valToPosH,C=e.valToPosV;return h.ori==0?n(s,c,p,h,m,P,C,y,
b,w,M,Ks,lr,Is,cd,pd):n(s,c,p,h,m,C,P,b,y,M,w,Ns,ar,Nl,dd,md)}function Fl(e,t){let n=0,r=0,s=he(e.bands,ql);for(let i=0;i<s.length;i++){let l=s[i];l.series[0]==
t?n=l.dir:l.series[1]==t&&(l.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function Tg(e,t,n,r,s){let i=e.mode,l=e.series[t],a=i==2?l.facets[1].scale:l.scale,
c=e.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function En(e,t,n,r,s,i){return yo(e,t,(l,a,c,p,h,m,y,b,w,M,P)=>{let C=l.pxRound,x=p.
dir*(p.ori==0?1:-1),$=p.ori==0?lr:ar,T,X;x==1?(T=n,X=r):(T=r,X=n);let N=C(m(a[T],p,M,b)),ee=C(y(c[T],h,P,w)),V=C(m(a[X],p,M,b)),re=C(y(i==1?h.max:h.min,h,P,w)),
j=new Path2D(s);return $(j,V,re),$(j,N,re),$(j,N,ee),j})}function Fs(e,t,n,r,s,i){let l=null;if(e.length>0){l=new Path2D;let a=t==0?Is:Nl,c=n;for(let m=0;m<e.length;m++){
let y=e[m];if(y[1]>y[0]){let b=y[0]-c;b>0&&a(l,c,r,b,r+i),c=y[1]}}let p=n+s-c,h=10;p>0&&a(l,c,r-h/2,p,r+i+h)}return l}function Sg(e,t,n){let r=e[e.length-1];r&&
r[0]==t?r[1]=n:e.push([t,n])}function Kl(e,t,n,r,s,i,l){let a=[],c=e.length;for(let p=s==1?n:r;p>=n&&p<=r;p+=s)if(t[p]===null){let m=p,y=p;if(s==1)for(;++p<=r&&
t[p]===null;)y=p;else for(;--p>=n&&t[p]===null;)y=p;let b=i(e[m]),w=y==m?b:i(e[y]),M=m-s;b=l<=0&&M>=0&&M<c?i(e[M]):b;let C=y+s;w=l>=0&&C>=0&&C<c?i(e[C]):w,w>=b&&
a.push([b,w])}return a}function Mc(e){return e==0?Nc:e==1?Qe:t=>mo(t,e)}function ud(e){let t=e==0?Ks:Ns,n=e==0?(s,i,l,a,c,p)=>{s.arcTo(i,l,a,c,p)}:(s,i,l,a,c,p)=>{
s.arcTo(l,i,c,a,p)},r=e==0?(s,i,l,a,c)=>{s.rect(i,l,a,c)}:(s,i,l,a,c)=>{s.rect(l,i,c,a)};return(s,i,l,a,c,p=0,h=0)=>{p==0&&h==0?r(s,i,l,a,c):(p=sn(p,a/2,c/2),h=
sn(h,a/2,c/2),t(s,i+p,l),n(s,i+a,l,i+a,l+c,p),n(s,i+a,l+c,i,l+c,h),n(s,i,l+c,i,l,h),n(s,i,l,i+a,l,p),s.closePath())}}var Ks=(e,t,n)=>{e.moveTo(t,n)},Ns=(e,t,n)=>{
e.moveTo(n,t)},lr=(e,t,n)=>{e.lineTo(t,n)},ar=(e,t,n)=>{e.lineTo(n,t)},Is=ud(0),Nl=ud(1),cd=(e,t,n,r,s,i)=>{e.arc(t,n,r,s,i)},dd=(e,t,n,r,s,i)=>{e.arc(n,t,r,s,i)},
pd=(e,t,n,r,s,i,l)=>{e.bezierCurveTo(t,n,r,s,i,l)},md=(e,t,n,r,s,i,l)=>{e.bezierCurveTo(n,t,s,r,l,i)};function fd(e){return(t,n,r,s,i)=>yo(t,n,(l,a,c,p,h,m,y,b,w,M,P)=>{
let{pxRound:C,points:x}=l,$,T;p.ori==0?($=Ks,T=cd):($=Ns,T=dd);let X=Pe(x.width*ye,3),N=(x.size-x.width)/2*ye,ee=Pe(N*2,3),V=new Path2D,re=new Path2D,{left:j,top:D,
width:Y,height:L}=t.bbox;Is(re,j-ee,D-ee,Y+ee*2,L+ee*2);let J=B=>{if(c[B]!=null){let ce=C(m(a[B],p,M,b)),W=C(y(c[B],h,P,w));$(V,ce+N,W),T(V,ce,W,N,0,Ms*2)}};if(i)
i.forEach(J);else for(let B=r;B<=s;B++)J(B);return{stroke:X>0?V:null,fill:V,clip:re,flags:sr|kl}})}function gd(e){return(t,n,r,s,i,l)=>{r!=s&&(i!=r&&l!=r&&e(t,n,
r),i!=s&&l!=s&&e(t,n,s),e(t,n,l))}}var Cg=gd(lr),Pg=gd(ar);function hd(e){let t=he(e?.alignGaps,0);return(n,r,s,i)=>yo(n,r,(l,a,c,p,h,m,y,b,w,M,P)=>{[s,i]=$s(c,
s,i);let C=l.pxRound,x=L=>C(m(L,p,M,b)),$=L=>C(y(L,h,P,w)),T,X;p.ori==0?(T=lr,X=Cg):(T=ar,X=Pg);let N=p.dir*(p.ori==0?1:-1),ee={stroke:new Path2D,fill:null,clip:null,
band:null,gaps:null,flags:sr},V=ee.stroke,re=!1;if(i-s>=M*4){let L=U=>n.posToVal(U,p.key,!0),J=null,B=null,ce,W,Pt,Le=x(a[N==1?s:i]),pe=x(a[s]),ke=x(a[i]),se=L(
N==1?pe+1:ke-1);for(let U=N==1?s:i;U>=s&&U<=i;U+=N){let Ze=a[U],Oe=(N==1?Ze<se:Ze>se)?Le:x(Ze),_e=c[U];Oe==Le?_e!=null?(W=_e,J==null?(T(V,Oe,$(W)),ce=J=B=W):W<J?
J=W:W>B&&(B=W)):_e===null&&(re=!0):(J!=null&&X(V,Le,$(J),$(B),$(ce),$(W)),_e!=null?(W=_e,T(V,Oe,$(W)),J=B=ce=W):(J=B=null,_e===null&&(re=!0)),Le=Oe,se=L(Le+N))}
J!=null&&J!=B&&Pt!=Le&&X(V,Le,$(J),$(B),$(ce),$(W))}else for(let L=N==1?s:i;L>=s&&L<=i;L+=N){let J=c[L];J===null?re=!0:J!=null&&T(V,x(a[L]),$(J))}let[D,Y]=Fl(n,
r);if(l.fill!=null||D!=0){let L=ee.fill=new Path2D(V),J=l.fillTo(n,r,l.min,l.max,D),B=$(J),ce=x(a[s]),W=x(a[i]);N==-1&&([W,ce]=[ce,W]),T(L,W,B),T(L,ce,B)}if(!l.
spanGaps){let L=[];re&&L.push(...Kl(a,c,s,i,N,x,t)),ee.gaps=L=l.gaps(n,r,s,i,L),ee.clip=Fs(L,p.ori,b,w,M,P)}return Y!=0&&(ee.band=Y==2?[En(n,r,s,i,V,-1),En(n,r,
s,i,V,1)]:En(n,r,s,i,V,Y)),ee})}function Eg(e){let t=he(e.align,1),n=he(e.ascDesc,!1),r=he(e.alignGaps,0),s=he(e.extend,!1);return(i,l,a,c)=>yo(i,l,(p,h,m,y,b,w,M,P,C,x,$)=>{
[a,c]=$s(m,a,c);let T=p.pxRound,{left:X,width:N}=i.bbox,ee=pe=>T(w(pe,y,x,P)),V=pe=>T(M(pe,b,$,C)),re=y.ori==0?lr:ar,j={stroke:new Path2D,fill:null,clip:null,band:null,
gaps:null,flags:sr},D=j.stroke,Y=y.dir*(y.ori==0?1:-1),L=V(m[Y==1?a:c]),J=ee(h[Y==1?a:c]),B=J,ce=J;s&&t==-1&&(ce=X,re(D,ce,L)),re(D,J,L);for(let pe=Y==1?a:c;pe>=
a&&pe<=c;pe+=Y){let ke=m[pe];if(ke==null)continue;let se=ee(h[pe]),U=V(ke);t==1?re(D,se,L):re(D,B,U),re(D,se,U),L=U,B=se}let W=B;s&&t==1&&(W=X+N,re(D,W,L));let[
Pt,Le]=Fl(i,l);if(p.fill!=null||Pt!=0){let pe=j.fill=new Path2D(D),ke=p.fillTo(i,l,p.min,p.max,Pt),se=V(ke);re(pe,W,se),re(pe,ce,se)}if(!p.spanGaps){let pe=[];pe.
push(...Kl(h,m,a,c,Y,ee,r));let ke=p.width*ye/2,se=n||t==1?ke:-ke,U=n||t==-1?-ke:ke;pe.forEach(Ze=>{Ze[0]+=se,Ze[1]+=U}),j.gaps=pe=p.gaps(i,l,a,c,pe),j.clip=Fs(
pe,y.ori,P,C,x,$)}return Le!=0&&(j.band=Le==2?[En(i,l,a,c,D,-1),En(i,l,a,c,D,1)]:En(i,l,a,c,D,Le)),j})}function Dc(e,t,n,r,s,i,l=Ce){if(e.length>1){let a=null;for(let c=0,
p=1/0;c<e.length;c++)if(t[c]!==void 0){if(a!=null){let h=Xe(e[c]-e[a]);h<p&&(p=h,l=Xe(n(e[c],r,s,i)-n(e[a],r,s,i)))}a=c}}return l}function Mg(e){e=e||Hr;let t=he(
e.size,[.6,Ce,1]),n=e.align||0,r=e.gap||0,s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let i=ue(s),l=1-t[0],a=he(t[1],Ce),c=he(t[2],1),p=he(e.disp,Hr),
h=he(e.each,b=>{}),{fill:m,stroke:y}=p;return(b,w,M,P)=>yo(b,w,(C,x,$,T,X,N,ee,V,re,j,D)=>{let Y=C.pxRound,L=n,J=r*ye,B=a*ye,ce=c*ye,W,Pt;T.ori==0?[W,Pt]=i(b,w):
[Pt,W]=i(b,w);let Le=T.dir*(T.ori==0?1:-1),pe=T.ori==0?Is:Nl,ke=T.ori==0?h:(K,Ee,Je,ko,Qn,an,Xn)=>{h(K,Ee,Je,Qn,ko,Xn,an)},se=he(b.bands,ql).find(K=>K.series[0]==
w),U=se!=null?se.dir:0,Ze=C.fillTo(b,w,C.min,C.max,U),ht=Y(ee(Ze,X,D,re)),Oe,_e,Zt,qt=j,Ke=Y(C.width*ye),ln=!1,_n=null,Gt=null,Mn=null,vo=null;m!=null&&(Ke==0||
y!=null)&&(ln=!0,_n=m.values(b,w,M,P),Gt=new Map,new Set(_n).forEach(K=>{K!=null&&Gt.set(K,new Path2D)}),Ke>0&&(Mn=y.values(b,w,M,P),vo=new Map,new Set(Mn).forEach(
K=>{K!=null&&vo.set(K,new Path2D)})));let{x0:wo,size:pr}=p;if(wo!=null&&pr!=null){L=1,x=wo.values(b,w,M,P),wo.unit==2&&(x=x.map(Je=>b.posToVal(V+Je*j,T.key,!0)));
let K=pr.values(b,w,M,P);pr.unit==2?_e=K[0]*j:_e=N(K[0],T,j,V)-N(0,T,j,V),qt=Dc(x,$,N,T,j,V,qt),Zt=qt-_e+J}else qt=Dc(x,$,N,T,j,V,qt),Zt=qt*l+J,_e=qt-Zt;Zt<1&&(Zt=
0),Ke>=_e/2&&(Ke=0),Zt<5&&(Y=Nc);let Vr=Zt>0,Zn=qt-Zt-(Vr?Ke:0);_e=Y(vl(Zn,ce,B)),Oe=(L==0?_e/2:L==Le?0:_e)-L*Le*((L==0?J/2:0)+(Vr?Ke/2:0));let bt={stroke:null,
fill:null,clip:null,band:null,gaps:null,flags:0},xo=ln?null:new Path2D,vn=null;if(se!=null)vn=b.data[se.series[1]];else{let{y0:K,y1:Ee}=p;K!=null&&Ee!=null&&($=
Ee.values(b,w,M,P),vn=K.values(b,w,M,P))}let Jn=W*_e,oe=Pt*_e;for(let K=Le==1?M:P;K>=M&&K<=P;K+=Le){let Ee=$[K];if(Ee==null)continue;if(vn!=null){let Et=vn[K]??
0;if(Ee-Et==0)continue;ht=ee(Et,X,D,re)}let Je=T.distr!=2||p!=null?x[K]:K,ko=N(Je,T,j,V),Qn=ee(he(Ee,Ze),X,D,re),an=Y(ko-Oe),Xn=Y(Ct(Qn,ht)),$t=Y(sn(Qn,ht)),Ut=Xn-
$t;if(Ee!=null){let Et=Ee<0?oe:Jn,Jt=Ee<0?Jn:oe;ln?(Ke>0&&Mn[K]!=null&&pe(vo.get(Mn[K]),an,$t+It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt),_n[K]!=null&&pe(Gt.get(_n[K]),an,$t+
It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt)):pe(xo,an,$t+It(Ke/2),_e,Ct(0,Ut-Ke),Et,Jt),ke(b,w,K,an-Ke/2,$t,_e+Ke,Ut)}}return Ke>0?bt.stroke=ln?vo:xo:ln||(bt._fill=C.width==
0?C._fill:C._stroke??C._fill,bt.width=0),bt.fill=ln?Gt:xo,bt})}function Dg(e,t){let n=he(t?.alignGaps,0);return(r,s,i,l)=>yo(r,s,(a,c,p,h,m,y,b,w,M,P,C)=>{[i,l]=
$s(p,i,l);let x=a.pxRound,$=W=>x(y(W,h,P,w)),T=W=>x(b(W,m,C,M)),X,N,ee;h.ori==0?(X=Ks,ee=lr,N=pd):(X=Ns,ee=ar,N=md);let V=h.dir*(h.ori==0?1:-1),re=$(c[V==1?i:l]),
j=re,D=[],Y=[];for(let W=V==1?i:l;W>=i&&W<=l;W+=V)if(p[W]!=null){let Le=c[W],pe=$(Le);D.push(j=pe),Y.push(T(p[W]))}let L={stroke:e(D,Y,X,ee,N,x),fill:null,clip:null,
band:null,gaps:null,flags:sr},J=L.stroke,[B,ce]=Fl(r,s);if(a.fill!=null||B!=0){let W=L.fill=new Path2D(J),Pt=a.fillTo(r,s,a.min,a.max,B),Le=T(Pt);ee(W,j,Le),ee(
W,re,Le)}if(!a.spanGaps){let W=[];W.push(...Kl(c,p,i,l,V,$,n)),L.gaps=W=a.gaps(r,s,i,l,W),L.clip=Fs(W,h.ori,w,M,P,C)}return ce!=0&&(L.band=ce==2?[En(r,s,i,l,J,-1),
En(r,s,i,l,J,1)]:En(r,s,i,l,J,ce)),L})}function Rg(e){return Dg(qg,e)}function qg(e,t,n,r,s,i){let l=e.length;if(l<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),
l==2)r(a,e[1],t[1]);else{let c=Array(l),p=Array(l-1),h=Array(l-1),m=Array(l-1);for(let y=0;y<l-1;y++)h[y]=t[y+1]-t[y],m[y]=e[y+1]-e[y],p[y]=h[y]/m[y];c[0]=p[0];
for(let y=1;y<l-1;y++)p[y]===0||p[y-1]===0||p[y-1]>0!=p[y]>0?c[y]=0:(c[y]=3*(m[y-1]+m[y])/((2*m[y]+m[y-1])/p[y-1]+(m[y]+2*m[y-1])/p[y]),isFinite(c[y])||(c[y]=0));
c[l-1]=p[l-2];for(let y=0;y<l-1;y++)s(a,e[y]+m[y]/3,t[y]+c[y]*m[y]/3,e[y+1]-m[y]/3,t[y+1]-c[y+1]*m[y]/3,e[y+1],t[y+1])}return a}var Tl=new Set;function Rc(){for(let e of Tl)
e.syncRect(!0)}ir&&(ho(pf,tr,Rc),ho(mf,tr,Rc,!0),ho(Ds,tr,()=>{et.pxRatio=ye}));var $g=hd(),Ag=fd();function qc(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):
[e[0]].concat(e.slice(1))).map((i,l)=>Sl(i,l,t,n))}function Lg(e,t){return e.map((n,r)=>r==0?{}:Ye({},t,n))}function Sl(e,t,n,r){return Ye({},t==0?n:r,e)}function bd(e,t,n){
return t==null?or:[t,n]}var Og=bd;function Fg(e,t,n){return t==null?or:Rs(t,n,Dl,!0)}function yd(e,t,n,r){return t==null?or:As(t,n,e.scales[r].log,!1)}var Kg=yd;
function _d(e,t,n,r){return t==null?or:Ml(t,n,e.scales[r].log,!1)}var Ng=_d;function Ig(e,t,n,r,s){let i=Ct(cc(e),cc(t)),l=t-e,a=rn(s/r*l,n);do{let c=n[a],p=r*c/
l;if(p>=s&&i+(c<5?jn.get(c):0)<=17)return[c,p]}while(++a<n.length);return[0,0]}function $c(e){let t,n;return e=e.replace(/(\d+)px/,(r,s)=>(t=Qe((n=+s)*ye))+"px"),
[e,t,n]}function zg(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=Pe(t[2]*ye,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function et(e,t,n){let r={mode:he(
e.mode,1)},s=r.mode;function i(u,d,f,g){let _=d.valToPct(u);return g+f*(d.dir==-1?1-_:_)}function l(u,d,f,g){let _=d.valToPct(u);return g+f*(d.dir==-1?_:1-_)}function a(u,d,f,g){
return d.ori==0?i(u,d,f,g):l(u,d,f,g)}r.valToPosH=i,r.valToPosV=l;let c=!1;r.status=0;let p=r.root=Vt(jm);if(e.id!=null&&(p.id=e.id),Nt(p,e.class),e.title){let u=Vt(
Zm,p);u.textContent=e.title}let h=on("canvas"),m=r.ctx=h.getContext("2d"),y=Vt(Jm,p);ho("click",y,u=>{u.target===w&&(Re!=Ao||Fe!=Lo)&&dt.click(r,u)},!0);let b=r.
under=Vt(Qm,y);y.appendChild(h);let w=r.over=Vt(Xm,y);e=rr(e);let M=+he(e.pxAlign,1),P=Mc(M);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(r,e)||e)});let C=e.ms||
.001,x=r.series=s==1?qc(e.series||[],xc,Pc,!1):Lg(e.series||[null],Cc),$=r.axes=qc(e.axes||[],wc,Tc,!0),T=r.scales={},X=r.bands=e.bands||[];X.forEach(u=>{u.fill=
ue(u.fill||null),u.dir=he(u.dir,-1)});let N=s==2?x[1].facets[0].scale:x[0].scale,ee={axes:wp,series:hp},V=(e.drawOrder||["axes","series"]).map(u=>ee[u]);function re(u){
let d=u.distr==3?f=>Pn(f>0?f:u.clamp(r,f,u.min,u.max,u.key)):u.distr==4?f=>pl(f,u.asinh):u.distr==100?f=>u.fwd(f):f=>f;return f=>{let g=d(f),{_min:_,_max:v}=u,k=v-
_;return(g-_)/k}}function j(u){let d=T[u];if(d==null){let f=(e.scales||Hr)[u]||Hr;if(f.from!=null){j(f.from);let g=Ye({},T[f.from],f,{key:u});g.valToPct=re(g),T[u]=
g}else{d=T[u]=Ye({},u==N?ld:kg,f),d.key=u;let g=d.time,_=d.range,v=Bn(_);if((u!=N||s==2&&!g)&&(v&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?lc:{mode:1,hard:_[0],
soft:_[0]},max:_[1]==null?lc:{mode:1,hard:_[1],soft:_[1]}},v=!1),!v&&Os(_))){let k=_;_=(S,E,A)=>E==null?or:Rs(E,A,k)}d.range=ue(_||(g?Og:u==N?d.distr==3?Kg:d.distr==
4?Ng:bd:d.distr==3?yd:d.distr==4?_d:Fg)),d.auto=ue(v?!1:d.auto),d.clamp=ue(d.clamp||xg),d._min=d._max=null,d.valToPct=re(d)}}}j("x"),j("y"),s==1&&x.forEach(u=>{
j(u.scale)}),$.forEach(u=>{j(u.scale)});for(let u in e.scales)j(u);let D=T[N],Y=D.distr,L,J;D.ori==0?(Nt(p,Vm),L=i,J=l):(Nt(p,Ym),L=l,J=i);let B={};for(let u in T){
let d=T[u];(d.min!=null||d.max!=null)&&(B[u]={min:d.min,max:d.max},d.min=d.max=null)}let ce=e.tzDate||(u=>new Date(Qe(u/C))),W=e.fmtDate||$l,Pt=C==1?Yf(ce):Qf(ce),
Le=yc(ce,bc(C==1?Vf:Jf,W)),pe=vc(ce,_c(eg,W)),ke=[],se=r.legend=Ye({},og,e.legend),U=r.cursor=Ye({},ug,{drag:{y:s==2}},e.cursor),Ze=se.show,ht=U.show,Oe=se.markers;
se.idxs=ke,Oe.width=ue(Oe.width),Oe.dash=ue(Oe.dash),Oe.stroke=ue(Oe.stroke),Oe.fill=ue(Oe.fill);let _e,Zt,qt,Ke=[],ln=[],_n,Gt=!1,Mn={};if(se.live){let u=x[1]?
x[1].values:null;Gt=u!=null,_n=Gt?u(r,1,0):{_:0};for(let d in _n)Mn[d]=Pl}if(Ze)if(_e=on("table",sf,p),qt=on("tbody",null,_e),se.mount(r,_e),Gt){Zt=on("thead",null,
_e,qt);let u=on("tr",null,Zt);on("th",null,u);for(var vo in _n)on("th",Vu,u).textContent=vo}else Nt(_e,af),se.live&&Nt(_e,lf);let wo={show:!0},pr={show:!1};function Vr(u,d){
if(d==0&&(Gt||!se.live||s==2))return or;let f=[],g=on("tr",uf,qt,qt.childNodes[d]);Nt(g,u.class),u.show||Nt(g,go);let _=on("th",null,g);if(Oe.show){let S=Vt(cf,
_);if(d>0){let E=Oe.width(r,d);E&&(S.style.border=E+"px "+Oe.dash(r,d)+" "+Oe.stroke(r,d)),S.style.background=Oe.fill(r,d)}}let v=Vt(Vu,_);u.label instanceof HTMLElement?
v.appendChild(u.label):v.textContent=u.label,d>0&&(Oe.show||(v.style.color=u.width>0?Oe.stroke(r,d):Oe.fill(r,d)),bt("click",_,S=>{if(U._lock)return;to(S);let E=x.
indexOf(u);if((S.ctrlKey||S.metaKey)!=se.isolate){let A=x.some((O,I)=>I>0&&I!=E&&O.show);x.forEach((O,I)=>{I>0&&cn(I,A?I==E?wo:pr:wo,!0,Be.setSeries)})}else cn(
E,{show:!u.show},!0,Be.setSeries)},!1),So&&bt(Qu,_,S=>{U._lock||(to(S),cn(x.indexOf(u),Fo,!0,Be.setSeries))},!1));for(var k in _n){let S=on("td",df,g);S.textContent=
"--",f.push(S)}return[g,f]}let Zn=new Map;function bt(u,d,f,g=!0){let _=Zn.get(d)||{},v=U.bind[u](r,d,f,g);v&&(ho(u,d,_[u]=v),Zn.set(d,_))}function xo(u,d,f){let g=Zn.
get(d)||{};for(let _ in g)(u==null||_==u)&&(_l(_,d,g[_]),delete g[_]);u==null&&Zn.delete(d)}let vn=0,Jn=0,oe=0,K=0,Ee=0,Je=0,ko=Ee,Qn=Je,an=oe,Xn=K,$t=0,Ut=0,Et=0,
Jt=0;r.bbox={};let ei=!1,Yr=!1,To=!1,eo=!1,Zr=!1,Ht=!1;function ti(u,d,f){(f||u!=r.width||d!=r.height)&&ia(u,d),Do(!1),To=!0,Yr=!0,Ro()}function ia(u,d){r.width=
vn=oe=u,r.height=Jn=K=d,Ee=Je=0,up(),cp();let f=r.bbox;$t=f.left=mo(Ee*ye,.5),Ut=f.top=mo(Je*ye,.5),Et=f.width=mo(oe*ye,.5),Jt=f.height=mo(K*ye,.5)}let ip=3;function lp(){
let u=!1,d=0;for(;!u;){d++;let f=_p(d),g=vp(d);u=d==ip||f&&g,u||(ia(r.width,r.height),Yr=!0)}}function ap({width:u,height:d}){ti(u,d)}r.setSize=ap;function up(){
let u=!1,d=!1,f=!1,g=!1;$.forEach((_,v)=>{if(_.show&&_._show){let{side:k,_size:S}=_,E=k%2,A=_.label!=null?_.labelSize:0,O=S+A;O>0&&(E?(oe-=O,k==3?(Ee+=O,g=!0):f=
!0):(K-=O,k==0?(Je+=O,u=!0):d=!0))}}),no[0]=u,no[1]=f,no[2]=d,no[3]=g,oe-=Dn[1]+Dn[3],Ee+=Dn[3],K-=Dn[2]+Dn[0],Je+=Dn[0]}function cp(){let u=Ee+oe,d=Je+K,f=Ee,g=Je;
function _(v,k){switch(v){case 1:return u+=k,u-k;case 2:return d+=k,d-k;case 3:return f-=k,f+k;case 0:return g-=k,g+k}}$.forEach((v,k)=>{if(v.show&&v._show){let S=v.
side;v._pos=_(S,v._size),v.label!=null&&(v._lpos=_(S,v.labelSize))}})}if(U.dataIdx==null){let u=U.hover,d=u.skip=new Set(u.skip??[]);d.add(void 0);let f=u.prox=
ue(u.prox),g=u.bias??=0;U.dataIdx=(_,v,k,S)=>{if(v==0)return k;let E=k,A=f(_,v,k,S)??Ce,O=A>=0&&A<Ce,I=D.ori==0?oe:K,Q=U.left,be=t[0],me=t[v];if(d.has(me[k])){E=
null;let ie=null,Z=null,H;if(g==0||g==-1)for(H=k;ie==null&&H-- >0;)d.has(me[H])||(ie=H);if(g==0||g==1)for(H=k;Z==null&&H++<me.length;)d.has(me[H])||(Z=H);if(ie!=
null||Z!=null)if(O){let $e=ie==null?-1/0:L(be[ie],D,I,0),ze=Z==null?1/0:L(be[Z],D,I,0),it=Q-$e,Te=ze-Q;it<=Te?it<=A&&(E=ie):Te<=A&&(E=Z)}else E=Z==null?ie:ie==null?
Z:k-ie<=Z-k?ie:Z}else O&&Xe(Q-L(be[k],D,I,0))>A&&(E=null);return E}}let to=u=>{U.event=u};U.idxs=ke,U._lock=!1;let gt=U.points;gt.show=ue(gt.show),gt.size=ue(gt.
size),gt.stroke=ue(gt.stroke),gt.width=ue(gt.width),gt.fill=ue(gt.fill);let un=r.focus=Ye({},e.focus||{alpha:.3},U.focus),So=un.prox>=0,Co=So&&gt.one,Wt=[],Po=[],
Eo=[];function la(u,d){let f=gt.show(r,d);if(f instanceof HTMLElement)return Nt(f,rf),Nt(f,u.class),bn(f,-10,-10,oe,K),w.insertBefore(f,Wt[d]),f}function aa(u,d){
if(s==1||d>0){let f=s==1&&T[u.scale].time,g=u.value;u.value=f?mc(g)?vc(ce,_c(g,W)):g||pe:g||_g,u.label=u.label||(f?dg:cg)}if(Co||d>0){u.width=u.width==null?1:u.
width,u.paths=u.paths||$g||kf,u.fillTo=ue(u.fillTo||Tg),u.pxAlign=+he(u.pxAlign,M),u.pxRound=Mc(u.pxAlign),u.stroke=ue(u.stroke||null),u.fill=ue(u.fill||null),u.
_stroke=u._fill=u._paths=u._focus=null;let f=vg(Ct(1,u.width),1),g=u.points=Ye({},{size:f,width:Ct(1,f*.2),stroke:u.stroke,space:f*2,paths:Ag,_stroke:null,_fill:null},
u.points);g.show=ue(g.show),g.filter=ue(g.filter),g.fill=ue(g.fill),g.stroke=ue(g.stroke),g.paths=ue(g.paths),g.pxAlign=u.pxAlign}if(Ze){let f=Vr(u,d);Ke.splice(
d,0,f[0]),ln.splice(d,0,f[1]),se.values.push(null)}if(ht){ke.splice(d,0,null);let f=null;Co?d==0&&(f=la(u,d)):d>0&&(f=la(u,d)),Wt.splice(d,0,f),Po.splice(d,0,0),
Eo.splice(d,0,0)}st("addSeries",d)}function dp(u,d){d=d??x.length,u=s==1?Sl(u,d,xc,Pc):Sl(u,d,{},Cc),x.splice(d,0,u),aa(x[d],d)}r.addSeries=dp;function pp(u){if(x.
splice(u,1),Ze){se.values.splice(u,1),ln.splice(u,1);let d=Ke.splice(u,1)[0];xo(null,d.firstChild),d.remove()}ht&&(ke.splice(u,1),Wt.splice(u,1)[0].remove(),Po.
splice(u,1),Eo.splice(u,1)),st("delSeries",u)}r.delSeries=pp;let no=[!1,!1,!1,!1];function mp(u,d){if(u._show=u.show,u.show){let f=u.side%2,g=T[u.scale];g==null&&
(u.scale=f?x[1].scale:N,g=T[u.scale]);let _=g.time;u.size=ue(u.size),u.space=ue(u.space),u.rotate=ue(u.rotate),Bn(u.incrs)&&u.incrs.forEach(k=>{!jn.has(k)&&jn.set(
k,Gc(k))}),u.incrs=ue(u.incrs||(g.distr==2?Wf:_?C==1?jf:Zf:fo)),u.splits=ue(u.splits||(_&&g.distr==1?Pt:g.distr==3?wl:g.distr==4?fg:mg)),u.stroke=ue(u.stroke),u.
grid.stroke=ue(u.grid.stroke),u.ticks.stroke=ue(u.ticks.stroke),u.border.stroke=ue(u.border.stroke);let v=u.values;u.values=Bn(v)&&!Bn(v[0])?ue(v):_?Bn(v)?yc(ce,
bc(v,W)):mc(v)?Xf(ce,v):v||Le:v||pg,u.filter=ue(u.filter||(g.distr>=3&&g.log==10?bg:g.distr==3&&g.log==2?yg:Ic)),u.font=$c(u.font),u.labelFont=$c(u.labelFont),u.
_size=u.size(r,null,d,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(no[d]=!0,u._el=Vt(ef,y))}}function mr(u,d,f,g){let[_,v,k,S]=f,
E=d%2,A=0;return E==0&&(S||v)&&(A=d==0&&!_||d==2&&!k?Qe(wc.size/3):0),E==1&&(_||k)&&(A=d==1&&!v||d==3&&!S?Qe(Tc.size/2):0),A}let ua=r.padding=(e.padding||[mr,mr,
mr,mr]).map(u=>ue(he(u,mr))),Dn=r._padding=ua.map((u,d)=>u(r,d,no,0)),ct,tt=null,nt=null,Jr=s==1?x[0].idxs:null,Qt=null,fr=!1;function ca(u,d){if(t=u??[],r.data=
r._data=t,s==2){ct=0;for(let f=1;f<x.length;f++)ct+=t[f][0].length}else{t.length==0&&(r.data=r._data=t=[[]]),Qt=t[0],ct=Qt.length;let f=t;if(Y==2){f=t.slice();let g=f[0]=
Array(ct);for(let _=0;_<ct;_++)g[_]=_}r._data=t=f}if(Do(!0),st("setData"),Y==2&&(To=!0),d!==!1){let f=D;f.auto(r,fr)?ni():qn(N,f.min,f.max),eo=eo||U.left>=0,Ht=
!0,Ro()}}r.setData=ca;function ni(){fr=!0;let u,d;s==1&&(ct>0?(tt=Jr[0]=0,nt=Jr[1]=ct-1,u=t[0][tt],d=t[0][nt],Y==2?(u=tt,d=nt):u==d&&(Y==3?[u,d]=As(u,u,D.log,!1):
Y==4?[u,d]=Ml(u,u,D.log,!1):D.time?d=u+Qe(86400/C):[u,d]=Rs(u,d,Dl,!0))):(tt=Jr[0]=u=null,nt=Jr[1]=d=null)),qn(N,u,d)}let Qr,Mo,oi,ri,si,ii,li,ai,ui,Mt;function da(u,d,f,g,_,v){
u??=Zu,f??=ql,g??="butt",_??=Zu,v??="round",u!=Qr&&(m.strokeStyle=Qr=u),_!=Mo&&(m.fillStyle=Mo=_),d!=oi&&(m.lineWidth=oi=d),v!=si&&(m.lineJoin=si=v),g!=ii&&(m.lineCap=
ii=g),f!=ri&&m.setLineDash(ri=f)}function pa(u,d,f,g){d!=Mo&&(m.fillStyle=Mo=d),u!=li&&(m.font=li=u),f!=ai&&(m.textAlign=ai=f),g!=ui&&(m.textBaseline=ui=g)}function ci(u,d,f,g,_=0){
if(g.length>0&&u.auto(r,fr)&&(d==null||d.min==null)){let v=he(tt,0),k=he(nt,g.length-1),S=f.min==null?bf(g,v,k,_,u.distr==3):[f.min,f.max];u.min=sn(u.min,f.min=
S[0]),u.max=Ct(u.max,f.max=S[1])}}let ma={min:null,max:null};function fp(){for(let g in T){let _=T[g];B[g]==null&&(_.min==null||B[N]!=null&&_.auto(r,fr))&&(B[g]=
ma)}for(let g in T){let _=T[g];B[g]==null&&_.from!=null&&B[_.from]!=null&&(B[g]=ma)}B[N]!=null&&Do(!0);let u={};for(let g in B){let _=B[g];if(_!=null){let v=u[g]=
rr(T[g],Cf);if(_.min!=null)Ye(v,_);else if(g!=N||s==2)if(ct==0&&v.from==null){let k=v.range(r,null,null,g);v.min=k[0],v.max=k[1]}else v.min=Ce,v.max=-Ce}}if(ct>
0){x.forEach((g,_)=>{if(s==1){let v=g.scale,k=B[v];if(k==null)return;let S=u[v];if(_==0){let E=S.range(r,S.min,S.max,v);S.min=E[0],S.max=E[1],tt=rn(S.min,t[0]),
nt=rn(S.max,t[0]),nt-tt>1&&(t[0][tt]<S.min&&tt++,t[0][nt]>S.max&&nt--),g.min=Qt[tt],g.max=Qt[nt]}else g.show&&g.auto&&ci(S,k,g,t[_],g.sorted);g.idxs[0]=tt,g.idxs[1]=
nt}else if(_>0&&g.show&&g.auto){let[v,k]=g.facets,S=v.scale,E=k.scale,[A,O]=t[_],I=u[S],Q=u[E];I!=null&&ci(I,B[S],v,A,v.sorted),Q!=null&&ci(Q,B[E],k,O,k.sorted),
g.min=k.min,g.max=k.max}});for(let g in u){let _=u[g],v=B[g];if(_.from==null&&(v==null||v.min==null)){let k=_.range(r,_.min==Ce?null:_.min,_.max==-Ce?null:_.max,
g);_.min=k[0],_.max=k[1]}}}for(let g in u){let _=u[g];if(_.from!=null){let v=u[_.from];if(v.min==null)_.min=_.max=null;else{let k=_.range(r,v.min,v.max,g);_.min=
k[0],_.max=k[1]}}}let d={},f=!1;for(let g in u){let _=u[g],v=T[g];if(v.min!=_.min||v.max!=_.max){v.min=_.min,v.max=_.max;let k=v.distr;v._min=k==3?Pn(v.min):k==
4?pl(v.min,v.asinh):k==100?v.fwd(v.min):v.min,v._max=k==3?Pn(v.max):k==4?pl(v.max,v.asinh):k==100?v.fwd(v.max):v.max,d[g]=f=!0}}if(f){x.forEach((g,_)=>{s==2?_>0&&
d.y&&(g._paths=null):d[g.scale]&&(g._paths=null)});for(let g in d)To=!0,st("setScale",g);ht&&U.left>=0&&(eo=Ht=!0)}for(let g in B)B[g]=null}function gp(u){let d=vl(
tt-1,0,ct-1),f=vl(nt+1,0,ct-1);for(;u[d]==null&&d>0;)d--;for(;u[f]==null&&f<ct-1;)f++;return[d,f]}function hp(){if(ct>0){let u=x.some(d=>d._focus)&&Mt!=un.alpha;
u&&(m.globalAlpha=Mt=un.alpha),x.forEach((d,f)=>{if(f>0&&d.show&&(fa(f,!1),fa(f,!0),d._paths==null)){let g=Mt;Mt!=d.alpha&&(m.globalAlpha=Mt=d.alpha);let _=s==2?
[0,t[f][0].length-1]:gp(t[f]);d._paths=d.paths(r,f,_[0],_[1]),Mt!=g&&(m.globalAlpha=Mt=g)}}),x.forEach((d,f)=>{if(f>0&&d.show){let g=Mt;Mt!=d.alpha&&(m.globalAlpha=
Mt=d.alpha),d._paths!=null&&ga(f,!1);{let _=d._paths!=null?d._paths.gaps:null,v=d.points.show(r,f,tt,nt,_),k=d.points.filter(r,f,v,_);(v||k)&&(d.points._paths=d.
points.paths(r,f,tt,nt,k),ga(f,!0))}Mt!=g&&(m.globalAlpha=Mt=g),st("drawSeries",f)}}),u&&(m.globalAlpha=Mt=1)}}function fa(u,d){let f=d?x[u].points:x[u];f._stroke=
f.stroke(r,u),f._fill=f.fill(r,u)}function ga(u,d){let f=d?x[u].points:x[u],{stroke:g,fill:_,clip:v,flags:k,_stroke:S=f._stroke,_fill:E=f._fill,_width:A=f.width}=f.
_paths;A=Pe(A*ye,3);let O=null,I=A%2/2;d&&E==null&&(E=A>0?"#fff":S);let Q=f.pxAlign==1&&I>0;if(Q&&m.translate(I,I),!d){let be=$t-A/2,me=Ut-A/2,ie=Et+A,Z=Jt+A;O=
new Path2D,O.rect(be,me,ie,Z)}d?di(S,A,f.dash,f.cap,E,g,_,k,v):bp(u,S,A,f.dash,f.cap,E,g,_,k,O,v),Q&&m.translate(-I,-I)}function bp(u,d,f,g,_,v,k,S,E,A,O){let I=!1;
E!=0&&X.forEach((Q,be)=>{if(Q.series[0]==u){let me=x[Q.series[1]],ie=t[Q.series[1]],Z=(me._paths||Hr).band;Bn(Z)&&(Z=Q.dir==1?Z[0]:Z[1]);let H,$e=null;me.show&&
Z&&_f(ie,tt,nt)?($e=Q.fill(r,be)||v,H=me._paths.clip):Z=null,di(d,f,g,_,$e,k,S,E,A,O,H,Z),I=!0}}),I||di(d,f,g,_,v,k,S,E,A,O)}let ha=sr|kl;function di(u,d,f,g,_,v,k,S,E,A,O,I){
da(u,d,f,g,_),(E||A||I)&&(m.save(),E&&m.clip(E),A&&m.clip(A)),I?(S&ha)==ha?(m.clip(I),O&&m.clip(O),es(_,k),Xr(u,v,d)):S&kl?(es(_,k),m.clip(I),Xr(u,v,d)):S&sr&&(m.
save(),m.clip(I),O&&m.clip(O),es(_,k),m.restore(),Xr(u,v,d)):(es(_,k),Xr(u,v,d)),(E||A||I)&&m.restore()}function Xr(u,d,f){f>0&&(d instanceof Map?d.forEach((g,_)=>{
m.strokeStyle=Qr=_,m.stroke(g)}):d!=null&&u&&m.stroke(d))}function es(u,d){d instanceof Map?d.forEach((f,g)=>{m.fillStyle=Mo=g,m.fill(f)}):d!=null&&u&&m.fill(d)}
function yp(u,d,f,g){let _=$[u],v;if(g<=0)v=[0,0];else{let k=_._space=_.space(r,u,d,f,g),S=_._incrs=_.incrs(r,u,d,f,g,k);v=Ig(d,f,S,g,k)}return _._found=v}function pi(u,d,f,g,_,v,k,S,E,A){
let O=k%2/2;M==1&&m.translate(O,O),da(S,k,E,A,S),m.beginPath();let I,Q,be,me,ie=_+(g==0||g==3?-v:v);f==0?(Q=_,me=ie):(I=_,be=ie);for(let Z=0;Z<u.length;Z++)d[Z]!=
null&&(f==0?I=be=u[Z]:Q=me=u[Z],m.moveTo(I,Q),m.lineTo(be,me));m.stroke(),M==1&&m.translate(-O,-O)}function _p(u){let d=!0;return $.forEach((f,g)=>{if(!f.show)return;
let _=T[f.scale];if(_.min==null){f._show&&(d=!1,f._show=!1,Do(!1));return}else f._show||(d=!1,f._show=!0,Do(!1));let v=f.side,k=v%2,{min:S,max:E}=_,[A,O]=yp(g,S,
E,k==0?oe:K);if(O==0)return;let I=_.distr==2,Q=f._splits=f.splits(r,g,S,E,A,O,I),be=_.distr==2?Q.map(H=>Qt[H]):Q,me=_.distr==2?Qt[Q[1]]-Qt[Q[0]]:A,ie=f._values=
f.values(r,f.filter(r,be,g,O,me),g,O,me);f._rotate=v==2?f.rotate(r,ie,g,O):0;let Z=f._size;f._size=Yt(f.size(r,ie,g,u)),Z!=null&&f._size!=Z&&(d=!1)}),d}function vp(u){
let d=!0;return ua.forEach((f,g)=>{let _=f(r,g,no,u);_!=Dn[g]&&(d=!1),Dn[g]=_}),d}function wp(){for(let u=0;u<$.length;u++){let d=$[u];if(!d.show||!d._show)continue;
let f=d.side,g=f%2,_,v,k=d.stroke(r,u),S=f==0||f==3?-1:1,[E,A]=d._found;if(d.label!=null){let _t=d.labelGap*S,Ot=Qe((d._lpos+_t)*ye);pa(d.labelFont[0],k,"center",
f==2?"top":Yu),m.save(),g==1?(_=v=0,m.translate(Ot,Qe(Ut+Jt/2)),m.rotate((f==3?-Ms:Ms)/2)):(_=Qe($t+Et/2),v=Ot);let so=Kc(d.label)?d.label(r,u,E,A):d.label;m.fillText(
so,_,v),m.restore()}if(A==0)continue;let O=T[d.scale],I=g==0?Et:Jt,Q=g==0?$t:Ut,be=d._splits,me=O.distr==2?be.map(_t=>Qt[_t]):be,ie=O.distr==2?Qt[be[1]]-Qt[be[0]]:
E,Z=d.ticks,H=d.border,$e=Z.show?Z.size:0,ze=Qe($e*ye),it=Qe((d.alignTo==2?d._size-$e-d.gap:d.gap)*ye),Te=d._rotate*-Ms/180,Ge=P(d._pos*ye),At=(ze+it)*S,yt=Ge+At;
v=g==0?yt:0,_=g==1?yt:0;let Bt=d.font[0],Xt=d.align==1?Xo:d.align==2?ul:Te>0?Xo:Te<0?ul:g==0?"center":f==3?ul:Xo,pn=Te||g==1?"middle":f==2?"top":Yu;pa(Bt,k,Xt,pn);
let Lt=d.font[1]*d.lineGap,jt=be.map(_t=>P(a(_t,O,I,Q))),en=d._values;for(let _t=0;_t<en.length;_t++){let Ot=en[_t];if(Ot!=null){g==0?_=jt[_t]:v=jt[_t],Ot=""+Ot;
let so=Ot.indexOf(`
`)==-1?[Ot]:Ot.split(/\n/gm);for(let vt=0;vt<so.length;vt++){let La=so[vt];Te?(m.save(),m.translate(_,v+vt*Lt),m.rotate(Te),m.fillText(La,0,0),m.restore()):m.fillText(
La,_,v+vt*Lt)}}}Z.show&&pi(jt,Z.filter(r,me,u,A,ie),g,f,Ge,ze,Pe(Z.width*ye,3),Z.stroke(r,u),Z.dash,Z.cap);let mn=d.grid;mn.show&&pi(jt,mn.filter(r,me,u,A,ie),g,
g==0?2:1,g==0?Ut:$t,g==0?Jt:Et,Pe(mn.width*ye,3),mn.stroke(r,u),mn.dash,mn.cap),H.show&&pi([Ge],[1],g==0?1:0,g==0?1:2,g==1?Ut:$t,g==1?Jt:Et,Pe(H.width*ye,3),H.stroke(
r,u),H.dash,H.cap)}st("drawAxes")}function Do(u){x.forEach((d,f)=>{f>0&&(d._paths=null,u&&(s==1?(d.min=null,d.max=null):d.facets.forEach(g=>{g.min=null,g.max=null})))})}
let ts=!1,mi=!1,gr=[];function xp(){mi=!1;for(let u=0;u<gr.length;u++)st(...gr[u]);gr.length=0}function Ro(){ts||($f(ba),ts=!0)}function kp(u,d=!1){ts=!0,mi=d,u(
r),ba(),d&&gr.length>0&&queueMicrotask(xp)}r.batch=kp;function ba(){if(ei&&(fp(),ei=!1),To&&(lp(),To=!1),Yr){if(Ae(b,Xo,Ee),Ae(b,"top",Je),Ae(b,Ir,oe),Ae(b,zr,K),
Ae(w,Xo,Ee),Ae(w,"top",Je),Ae(w,Ir,oe),Ae(w,zr,K),Ae(y,Ir,vn),Ae(y,zr,Jn),h.width=Qe(vn*ye),h.height=Qe(Jn*ye),$.forEach(({_el:u,_show:d,_size:f,_pos:g,side:_})=>{
if(u!=null)if(d){let v=_===3||_===0?f:0,k=_%2==1;Ae(u,k?"left":"top",g-v),Ae(u,k?"width":"height",f),Ae(u,k?"top":"left",k?Je:Ee),Ae(u,k?"height":"width",k?K:oe),
yl(u,go)}else Nt(u,go)}),Qr=Mo=oi=si=ii=li=ai=ui=ri=null,Mt=1,yr(!0),Ee!=ko||Je!=Qn||oe!=an||K!=Xn){Do(!1);let u=oe/an,d=K/Xn;if(ht&&!eo&&U.left>=0){U.left*=u,U.
top*=d,qo&&bn(qo,Qe(U.left),0,oe,K),$o&&bn($o,0,Qe(U.top),oe,K);for(let f=0;f<Wt.length;f++){let g=Wt[f];g!=null&&(Po[f]*=u,Eo[f]*=d,bn(g,Yt(Po[f]),Yt(Eo[f]),oe,
K))}}if(qe.show&&!Zr&&qe.left>=0&&qe.width>0){qe.left*=u,qe.width*=u,qe.top*=d,qe.height*=d;for(let f in _i)Ae(Oo,f,qe[f])}ko=Ee,Qn=Je,an=oe,Xn=K}st("setSize"),
Yr=!1}vn>0&&Jn>0&&(m.clearRect(0,0,h.width,h.height),st("drawClear"),V.forEach(u=>u()),st("draw")),qe.show&&Zr&&(ns(qe),Zr=!1),ht&&eo&&(ro(null,!0,!1),eo=!1),se.
show&&se.live&&Ht&&(bi(),Ht=!1),c||(c=!0,r.status=1,st("ready")),fr=!1,ts=!1}r.redraw=(u,d)=>{To=d||!1,u!==!1?qn(N,D.min,D.max):Ro()};function fi(u,d){let f=T[u];
if(f.from==null){if(ct==0){let g=f.range(r,d.min,d.max,u);d.min=g[0],d.max=g[1]}if(d.min>d.max){let g=d.min;d.min=d.max,d.max=g}if(ct>1&&d.min!=null&&d.max!=null&&
d.max-d.min<1e-16)return;u==N&&f.distr==2&&ct>0&&(d.min=rn(d.min,t[0]),d.max=rn(d.max,t[0]),d.min==d.max&&d.max++),B[u]=d,ei=!0,Ro()}}r.setScale=fi;let gi,hi,qo,
$o,ya,_a,Ao,Lo,va,wa,Re,Fe,Rn=!1,dt=U.drag,ot=dt.x,rt=dt.y;ht&&(U.x&&(gi=Vt(nf,w)),U.y&&(hi=Vt(of,w)),D.ori==0?(qo=gi,$o=hi):(qo=hi,$o=gi),Re=U.left,Fe=U.top);let qe=r.
select=Ye({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),Oo=qe.show?Vt(tf,qe.over?w:b):null;function ns(u,d){if(qe.show){for(let f in u)qe[f]=u[f],f in
_i&&Ae(Oo,f,u[f]);d!==!1&&st("setSelect")}}r.setSelect=ns;function Tp(u){if(x[u].show)Ze&&yl(Ke[u],go);else if(Ze&&Nt(Ke[u],go),ht){let f=Co?Wt[0]:Wt[u];f!=null&&
bn(f,-10,-10,oe,K)}}function qn(u,d,f){fi(u,{min:d,max:f})}function cn(u,d,f,g){d.focus!=null&&Mp(u),d.show!=null&&x.forEach((_,v)=>{v>0&&(u==v||u==null)&&(_.show=
d.show,Tp(v),s==2?(qn(_.facets[0].scale,null,null),qn(_.facets[1].scale,null,null)):qn(_.scale,null,null),Ro())}),f!==!1&&st("setSeries",u,d),g&&_r("setSeries",
r,u,d)}r.setSeries=cn;function Sp(u,d){Ye(X[u],d)}function Cp(u,d){u.fill=ue(u.fill||null),u.dir=he(u.dir,-1),d=d??X.length,X.splice(d,0,u)}function Pp(u){u==null?
X.length=0:X.splice(u,1)}r.addBand=Cp,r.setBand=Sp,r.delBand=Pp;function Ep(u,d){x[u].alpha=d,ht&&Wt[u]!=null&&(Wt[u].style.opacity=d),Ze&&Ke[u]&&(Ke[u].style.opacity=
d)}let wn,$n,oo,Fo={focus:!0};function Mp(u){if(u!=oo){let d=u==null,f=un.alpha!=1;x.forEach((g,_)=>{if(s==1||_>0){let v=d||_==0||_==u;g._focus=d?null:v,f&&Ep(_,
v?1:un.alpha)}}),oo=u,f&&Ro()}}Ze&&So&&bt(Xu,_e,u=>{U._lock||(to(u),oo!=null&&cn(null,Fo,!0,Be.setSeries))});function dn(u,d,f){let g=T[d];f&&(u=u/ye-(g.ori==1?
Je:Ee));let _=oe;g.ori==1&&(_=K,u=_-u),g.dir==-1&&(u=_-u);let v=g._min,k=g._max,S=u/_,E=v+(k-v)*S,A=g.distr;return A==3?nr(10,E):A==4?wf(E,g.asinh):A==100?g.bwd(
E):E}function Dp(u,d){let f=dn(u,N,d);return rn(f,t[0],tt,nt)}r.valToIdx=u=>rn(u,t[0]),r.posToIdx=Dp,r.posToVal=dn,r.valToPos=(u,d,f)=>T[d].ori==0?i(u,T[d],f?Et:
oe,f?$t:0):l(u,T[d],f?Jt:K,f?Ut:0),r.setCursor=(u,d,f)=>{Re=u.left,Fe=u.top,ro(null,d,f)};function xa(u,d){Ae(Oo,Xo,qe.left=u),Ae(Oo,Ir,qe.width=d)}function ka(u,d){
Ae(Oo,"top",qe.top=u),Ae(Oo,zr,qe.height=d)}let hr=D.ori==0?xa:ka,br=D.ori==1?xa:ka;function Rp(){if(Ze&&se.live)for(let u=s==2?1:0;u<x.length;u++){if(u==0&&Gt)
continue;let d=se.values[u],f=0;for(let g in d)ln[u][f++].firstChild.nodeValue=d[g]}}function bi(u,d){if(u!=null&&(u.idxs?u.idxs.forEach((f,g)=>{ke[g]=f}):Sf(u.
idx)||ke.fill(u.idx),se.idx=ke[0]),Ze&&se.live){for(let f=0;f<x.length;f++)(f>0||s==1&&!Gt)&&qp(f,ke[f]);Rp()}Ht=!1,d!==!1&&st("setLegend")}r.setLegend=bi;function qp(u,d){
let f=x[u],g=u==0&&Y==2?Qt:t[u],_;Gt?_=f.values(r,u,d)??Mn:(_=f.value(r,d==null?null:g[d],u,d),_=_==null?Mn:{_}),se.values[u]=_}function ro(u,d,f){va=Re,wa=Fe,[
Re,Fe]=U.move(r,Re,Fe),U.left=Re,U.top=Fe,ht&&(qo&&bn(qo,Qe(Re),0,oe,K),$o&&bn($o,0,Qe(Fe),oe,K));let g,_=tt>nt;wn=Ce,$n=null;let v=D.ori==0?oe:K,k=D.ori==1?oe:
K;if(Re<0||ct==0||_){g=U.idx=null;for(let S=0;S<x.length;S++){let E=Wt[S];E!=null&&bn(E,-10,-10,oe,K)}So&&cn(null,Fo,!0,u==null&&Be.setSeries),se.live&&(ke.fill(
g),Ht=!0)}else{let S,E,A;s==1&&(S=D.ori==0?Re:Fe,E=dn(S,N),g=U.idx=rn(E,t[0],tt,nt),A=L(t[0][g],D,v,0));let O=-10,I=-10,Q=0,be=0,me=!0,ie="",Z="";for(let H=s==2?
1:0;H<x.length;H++){let $e=x[H],ze=ke[H],it=ze==null?null:s==1?t[H][ze]:t[H][1][ze],Te=U.dataIdx(r,H,g,E),Ge=Te==null?null:s==1?t[H][Te]:t[H][1][Te];if(Ht=Ht||Ge!=
it||Te!=ze,ke[H]=Te,H>0&&$e.show){let At=Te==null?-10:Te==g?A:L(s==1?t[0][Te]:t[H][0][Te],D,v,0),yt=Ge==null?-10:J(Ge,s==1?T[$e.scale]:T[$e.facets[1].scale],k,0);
if(So&&Ge!=null){let Bt=D.ori==1?Re:Fe,Xt=Xe(un.dist(r,H,Te,yt,Bt));if(Xt<wn){let pn=un.bias;if(pn!=0){let Lt=dn(Bt,$e.scale),jt=Ge>=0?1:-1,en=Lt>=0?1:-1;en==jt&&
(en==1?pn==1?Ge>=Lt:Ge<=Lt:pn==1?Ge<=Lt:Ge>=Lt)&&(wn=Xt,$n=H)}else wn=Xt,$n=H}}if(Ht||Co){let Bt,Xt;D.ori==0?(Bt=At,Xt=yt):(Bt=yt,Xt=At);let pn,Lt,jt,en,mn,_t,Ot=!0,
so=gt.bbox;if(so!=null){Ot=!1;let vt=so(r,H);jt=vt.left,en=vt.top,pn=vt.width,Lt=vt.height}else jt=Bt,en=Xt,pn=Lt=gt.size(r,H);if(_t=gt.fill(r,H),mn=gt.stroke(r,
H),Co)H==$n&&wn<=un.prox&&(O=jt,I=en,Q=pn,be=Lt,me=Ot,ie=_t,Z=mn);else{let vt=Wt[H];vt!=null&&(Po[H]=jt,Eo[H]=en,ic(vt,pn,Lt,Ot),rc(vt,_t,mn),bn(vt,Yt(jt),Yt(en),
oe,K))}}}}if(Co){let H=un.prox,$e=oo==null?wn<=H:wn>H||$n!=oo;if(Ht||$e){let ze=Wt[0];ze!=null&&(Po[0]=O,Eo[0]=I,ic(ze,Q,be,me),rc(ze,ie,Z),bn(ze,Yt(O),Yt(I),oe,
K))}}}if(qe.show&&Rn)if(u!=null){let[S,E]=Be.scales,[A,O]=Be.match,[I,Q]=u.cursor.sync.scales,be=u.cursor.drag;if(ot=be._x,rt=be._y,ot||rt){let{left:me,top:ie,width:Z,
height:H}=u.select,$e=u.scales[I].ori,ze=u.posToVal,it,Te,Ge,At,yt,Bt=S!=null&&A(S,I),Xt=E!=null&&O(E,Q);Bt&&ot?($e==0?(it=me,Te=Z):(it=ie,Te=H),Ge=T[S],At=L(ze(
it,I),Ge,v,0),yt=L(ze(it+Te,I),Ge,v,0),hr(sn(At,yt),Xe(yt-At))):hr(0,v),Xt&&rt?($e==1?(it=me,Te=Z):(it=ie,Te=H),Ge=T[E],At=J(ze(it,Q),Ge,k,0),yt=J(ze(it+Te,Q),Ge,
k,0),br(sn(At,yt),Xe(yt-At))):br(0,k)}else vi()}else{let S=Xe(va-ya),E=Xe(wa-_a);if(D.ori==1){let Q=S;S=E,E=Q}ot=dt.x&&S>=dt.dist,rt=dt.y&&E>=dt.dist;let A=dt.uni;
A!=null?ot&&rt&&(ot=S>=A,rt=E>=A,!ot&&!rt&&(E>S?rt=!0:ot=!0)):dt.x&&dt.y&&(ot||rt)&&(ot=rt=!0);let O,I;ot&&(D.ori==0?(O=Ao,I=Re):(O=Lo,I=Fe),hr(sn(O,I),Xe(I-O)),
rt||br(0,k)),rt&&(D.ori==1?(O=Ao,I=Re):(O=Lo,I=Fe),br(sn(O,I),Xe(I-O)),ot||hr(0,v)),!ot&&!rt&&(hr(0,0),br(0,0))}if(dt._x=ot,dt._y=rt,u==null){if(f){if(Aa!=null){
let[S,E]=Be.scales;Be.values[0]=S!=null?dn(D.ori==0?Re:Fe,S):null,Be.values[1]=E!=null?dn(D.ori==1?Re:Fe,E):null}_r(cl,r,Re,Fe,oe,K,g)}if(So){let S=f&&Be.setSeries,
E=un.prox;oo==null?wn<=E&&cn($n,Fo,!0,S):wn>E?cn(null,Fo,!0,S):$n!=oo&&cn($n,Fo,!0,S)}}Ht&&(se.idx=g,bi()),d!==!1&&st("setCursor")}let An=null;Object.defineProperty(
r,"rect",{get(){return An==null&&yr(!1),An}});function yr(u=!1){u?An=null:(An=w.getBoundingClientRect(),st("syncRect",An))}function Ta(u,d,f,g,_,v,k){U._lock||Rn&&
u!=null&&u.movementX==0&&u.movementY==0||(yi(u,d,f,g,_,v,k,!1,u!=null),u!=null?ro(null,!0,!0):ro(d,!0,!1))}function yi(u,d,f,g,_,v,k,S,E){if(An==null&&yr(!1),to(
u),u!=null)f=u.clientX-An.left,g=u.clientY-An.top;else{if(f<0||g<0){Re=-10,Fe=-10;return}let[A,O]=Be.scales,I=d.cursor.sync,[Q,be]=I.values,[me,ie]=I.scales,[Z,
H]=Be.match,$e=d.axes[0].side%2==1,ze=D.ori==0?oe:K,it=D.ori==1?oe:K,Te=$e?v:_,Ge=$e?_:v,At=$e?g:f,yt=$e?f:g;if(me!=null?f=Z(A,me)?a(Q,T[A],ze,0):-10:f=ze*(At/Te),
ie!=null?g=H(O,ie)?a(be,T[O],it,0):-10:g=it*(yt/Ge),D.ori==1){let Bt=f;f=g,g=Bt}}E&&(d==null||d.cursor.event.type==cl)&&((f<=1||f>=oe-1)&&(f=mo(f,oe)),(g<=1||g>=
K-1)&&(g=mo(g,K))),S?(ya=f,_a=g,[Ao,Lo]=U.move(r,f,g)):(Re=f,Fe=g)}let _i={width:0,height:0,left:0,top:0};function vi(){ns(_i,!1)}let Sa,Ca,Pa,Ea;function Ma(u,d,f,g,_,v,k){
Rn=!0,ot=rt=dt._x=dt._y=!1,yi(u,d,f,g,_,v,k,!0,!1),u!=null&&(bt(dl,hl,Da,!1),_r(Ju,r,Ao,Lo,oe,K,null));let{left:S,top:E,width:A,height:O}=qe;Sa=S,Ca=E,Pa=A,Ea=O}
function Da(u,d,f,g,_,v,k){Rn=dt._x=dt._y=!1,yi(u,d,f,g,_,v,k,!1,!0);let{left:S,top:E,width:A,height:O}=qe,I=A>0||O>0,Q=Sa!=S||Ca!=E||Pa!=A||Ea!=O;if(I&&Q&&ns(qe),
dt.setScale&&I&&Q){let be=S,me=A,ie=E,Z=O;if(D.ori==1&&(be=E,me=O,ie=S,Z=A),ot&&qn(N,dn(be,N),dn(be+me,N)),rt)for(let H in T){let $e=T[H];H!=N&&$e.from==null&&$e.
min!=Ce&&qn(H,dn(ie+Z,H),dn(ie,H))}vi()}else U.lock&&(U._lock=!U._lock,ro(d,!0,u!=null));u!=null&&(xo(dl,hl),_r(dl,r,Re,Fe,oe,K,null))}function $p(u,d,f,g,_,v,k){
if(U._lock)return;to(u);let S=Rn;if(Rn){let E=!0,A=!0,O=10,I,Q;D.ori==0?(I=ot,Q=rt):(I=rt,Q=ot),I&&Q&&(E=Re<=O||Re>=oe-O,A=Fe<=O||Fe>=K-O),I&&E&&(Re=Re<Ao?0:oe),
Q&&A&&(Fe=Fe<Lo?0:K),ro(null,!0,!0),Rn=!1}Re=-10,Fe=-10,ke.fill(null),ro(null,!0,!0),S&&(Rn=S)}function Ra(u,d,f,g,_,v,k){U._lock||(to(u),ni(),vi(),u!=null&&_r(
ec,r,Re,Fe,oe,K,null))}function qa(){$.forEach(zg),ti(r.width,r.height,!0)}ho(Ds,tr,qa);let Ko={};Ko.mousedown=Ma,Ko.mousemove=Ta,Ko.mouseup=Da,Ko.dblclick=Ra,Ko.
setSeries=(u,d,f,g)=>{let _=Be.match[2];f=_(r,d,f),f!=-1&&cn(f,g,!0,!1)},ht&&(bt(Ju,w,Ma),bt(cl,w,Ta),bt(Qu,w,u=>{to(u),yr(!1)}),bt(Xu,w,$p),bt(ec,w,Ra),Tl.add(
r),r.syncRect=yr);let os=r.hooks=e.hooks||{};function st(u,d,f){mi?gr.push([u,d,f]):u in os&&os[u].forEach(g=>{g.call(null,r,d,f)})}(e.plugins||[]).forEach(u=>{
for(let d in u.hooks)os[d]=(os[d]||[]).concat(u.hooks[d])});let $a=(u,d,f)=>f,Be=Ye({key:null,setSeries:!1,filters:{pub:dc,sub:dc},scales:[N,x[1]?x[1].scale:null],
match:[pc,pc,$a],values:[null,null]},U.sync);Be.match.length==2&&Be.match.push($a),U.sync=Be;let Aa=Be.key,wi=ad(Aa);function _r(u,d,f,g,_,v,k){Be.filters.pub(u,
d,f,g,_,v,k)&&wi.pub(u,d,f,g,_,v,k)}wi.sub(r);function Ap(u,d,f,g,_,v,k){Be.filters.sub(u,d,f,g,_,v,k)&&Ko[u](null,d,f,g,_,v,k)}r.pub=Ap;function Lp(){wi.unsub(
r),Tl.delete(r),Zn.clear(),_l(Ds,tr,qa),p.remove(),_e?.remove(),st("destroy")}r.destroy=Lp;function xi(){st("init",e,t),ca(t||e.data,!1),B[N]?fi(N,B[N]):ni(),Zr=
qe.show&&(qe.width>0||qe.height>0),eo=Ht=!0,ti(e.width,e.height)}return x.forEach(aa),$.forEach(mp),n?n instanceof HTMLElement?(n.appendChild(p),xi()):n(r,xi):xi(),
r}et.assign=Ye;et.fmtNum=Rl;et.rangeNum=Rs;et.rangeLog=As;et.rangeAsinh=Ml;et.orient=yo;et.pxRatio=ye;et.join=qf;et.fmtDate=$l,et.tzDate=Uf;et.sync=ad;{et.addGap=
Sg,et.clipGaps=Fs;let e=et.paths={points:fd};e.linear=hd,e.stepped=Eg,e.bars=Mg,e.spline=Rg}var Gg=200,wd="12px system-ui, sans-serif";function xd(e,t){return new et(Hg(t),Ug(t),e)}function Ug(e){let t=e.xs.map(s=>s.getTime()/1e3);if(e.kind==="lines")return[
t,...e.series.map(s=>s.values)];let n=t.map(()=>0),r=e.series.map(s=>s.values.map((i,l)=>n[l]=(n[l]??0)+(i??0)));return[t,...r.map((s,i)=>s.map((l,a)=>e.series[i]?.
values[a]?l:null)).toReversed()]}function Hg(e){let t=e.kind==="bars"?e.slots.toReversed():e.slots;return{width:Math.max(e.width,100),height:Gg,padding:[8,20,0,
0],legend:{show:!1},cursor:{y:!1,points:{show:e.kind==="lines"},drag:{x:!0,y:!1,setScale:!1,uni:8}},tzDate:n=>et.tzDate(new Date(n*1e3),e.zone),scales:{x:{time:!0,
range:(n,r,s)=>Wg(e,r,s)},y:{range:(n,r,s)=>[0,s>0?s*1.06:1]}},axes:Bg(e),series:[{},...t.map(n=>e.kind==="bars"?Zg(e,n):Yg(Jo(`var(--series-${n})`)))],hooks:{setSelect:[
n=>Jg(n,e)],setCursor:[n=>Qg(n,e)]}}}function Wg(e,t,n){return e.kind==="lines"&&e.xs.length>1?[t,n]:[t,Math.max(n+Il(e),t+1)]}function Il(e){let[t,n]=e.xs;return t&&
n?(n.getTime()-t.getTime())/1e3:e.grain==="hour"?3600:e.grain==="day"?86400:30*86400}function Bg(e){let[t,n]=[Jo("var(--muted)"),Jo("var(--hairline)")],r={stroke:t,
font:wd,ticks:{show:!1}},s=e.axis??e.format;return[{...r,size:24,gap:6,grid:{show:!1},space:64,values:(i,l)=>Vg(l,e)},{...r,gap:8,size:(i,l)=>jg(i,l),grid:{stroke:n,
width:1},space:40,values:(i,l)=>l.map(a=>a===0?"0":s(a))}]}function jg(e,t){e.ctx.save(),e.ctx.font=wd;let n=Math.max(0,...(t??[]).map(r=>e.ctx.measureText(r).width));
return e.ctx.restore(),Math.ceil(n)+16}function Vg(e,t){let n=(e[1]??0)-(e[0]??0),r=(i,l)=>new Date(l*1e3).toLocaleString("en-GB",{timeZone:t.zone,hourCycle:"h2\
3",...i}),s=i=>r({day:"numeric",month:"short"},i);return n>=28*86400?e.map(i=>r({month:"short",year:"numeric"},i)):n>=86400?e.map(s):e.map(i=>{let l=r({hour:"2-\
digit",minute:"2-digit"},i);return l==="00:00"?s(i):l})}function Yg(e){return{stroke:e,width:1.5,points:{show:!1},spanGaps:!1}}function zl({xs:e,until:t,grain:n},r){
let s=e[r];return s!==void 0&&s.getTime()+Il({xs:e,grain:n})*1e3>t.getTime()}function Zg(e,t){let[n,r]=[Jo(`var(--series-${t})`),Jo(`color-mix(in srgb, var(--se\
ries-${t}) 35%, var(--panel))`)],s=e.xs.map((i,l)=>zl(e,l)?r:n);return{fill:n,width:0,points:{show:!1},paths:et.paths.bars?.({align:1,size:[.8,48],disp:{fill:{unit:3,
values:()=>s}}})}}function Jg(e,t){if(e.select.width<8)return;let n=r=>new Date(e.posToVal(r,"x")*1e3);t.onZoom(vd(n(e.select.left),t),vd(n(e.select.left+e.select.
width),t,!0)),e.setSelect({left:0,top:0,width:0,height:0},!1)}function vd(e,t,n=!1){let r=t.xs.findLastIndex(i=>i<=e);r<0&&(r=0);let s=t.xs[r]??e;return n?t.xs[r+
1]??new Date(s.getTime()+Il(t)*1e3):s}function Qg(e,t){let{left:n}=e.cursor;if(n===void 0||n<0)return t.onPoint(null);let r=t.kind==="bars"?t.xs.findLastIndex(s=>s.
getTime()/1e3<=e.posToVal(n,"x")):e.cursor.idx??-1;t.onPoint(r<0?null:{index:r,left:n+e.bbox.left/devicePixelRatio+8})}function _o(e){let[t,n]=q(!1),{zone:r}=F();return o("section",{class:"panel","aria-label":e.title,children:[o("header",{children:[o("h2",{children:e.title}),o("\
span",{class:"muted small",children:r}),o("div",{class:"rest",children:[e.tools,o("button",{class:"quiet","aria-pressed":t,onClick:()=>n(!t),children:t?"Plot":"\
Table"})]})]}),e.note,t?o(Xg,{...e,zone:r}):o(eh,{...e,zone:r})]})}function Br(e,{grain:t,zone:n}){return t==="hour"?`${Kn(e,n)} ${Dt(e,n)}`:t==="day"?Kn(e,n):e.
toLocaleDateString("en-GB",{timeZone:n,month:"short",year:"numeric"})}function Xg(e){let t=[{key:"at",title:e.grain==="hour"?"Hour":e.grain==="day"?"Day":"Month",
cell:n=>Br(e.xs[n]??new Date,e),sort:n=>n}];for(let n of e.series)t.push({key:n.name,title:n.label??n.name,num:!0,cell:r=>kd(n.values[r],e),sort:r=>n.values[r]??
-1});return o(Ie,{label:e.title+", as a table",columns:t,rows:e.xs.map((n,r)=>r),id:String,sorted:"-at"})}function kd(e,{format:t}){return e==null?"–":t(e)}function eh(e){
let{series:t,onPick:n}=e,r=No(()=>Hu(t.map(s=>s.name)).map((s,i)=>t[i]?.slot??s),[t]);return o(R,{children:[o("div",{class:"legend",children:t.map((s,i)=>n&&s.name!==
Zo?o("button",{title:`Only ${s.label??s.name}`,type:"button",onClick:()=>n?.(s.name),children:[o(Gl,{slot:r[i]??8}),s.label??s.name]},s.name):o("span",{children:[
o(Gl,{slot:r[i]??8}),s.label??s.name]},s.name))}),o(th,{...e,slots:r})]})}function Gl({slot:e}){return o("i",{style:{background:`var(--series-${e})`}})}function th(e){
let t=pt(null),[n,r]=q(null),[s,i]=q(0);return de(()=>{let l=()=>i(a=>a+1);return Kr.addEventListener("scheme",l),()=>Kr.removeEventListener("scheme",l)},[]),de(
()=>{let l=t.current;if(!l)return;let a={...e,width:l.clientWidth-16,onPoint:r,onZoom:nh},c=xd(l,a),p=new ResizeObserver(()=>c.setSize({width:l.clientWidth-16,height:c.
height}));return p.observe(l),()=>{p.disconnect(),c.destroy()}},[e.xs,e.series,e.kind,e.zone,s]),o("div",{class:"plot",ref:t,role:"img","aria-label":rh(e),children:n&&
o(oh,{...e,...n})})}function nh(e,t){te({since:e.toISOString().replace(/\.\d+/,""),until:t.toISOString().replace(/\.\d+/,"")})}function oh(e){let{series:t,slots:n,
index:r,left:s,xs:i,kind:l}=e,a=t.map((m,y)=>({one:m,slot:n[y]??8,value:m.values[r]??null})).filter(({value:m})=>m!==null&&(l==="lines"||m!==0)),c=i[r];if(!c)return null;
let p=a.reduce((m,{value:y})=>m+(y??0),0),h=s>320;return o("div",{class:"tip","aria-hidden":"true",style:h?{right:`calc(100% - ${s-12}px)`}:{left:`${s+12}px`},children:[
o("div",{children:[o("strong",{children:Br(c,e)}),l==="bars"&&o("b",{children:e.format(p)})]}),a.map(({one:m,slot:y,value:b})=>o("div",{children:[o(Gl,{slot:y}),
m.label??m.name,o("b",{children:kd(b,e)})]},m.name)),zl(e,r)&&o("div",{class:"muted",children:"not over yet"})]})}function rh(e){let{title:t,xs:n,series:r,kind:s}=e,
[i,l]=[n[0],n[n.length-1]];if(!i||!l)return`${t}: nothing`;let a=n.map((p,h)=>s==="bars"?r.reduce((m,y)=>m+(y.values[h]??0),0):Math.max(0,...r.map(m=>m.values[h]??
0))),c=a.indexOf(Math.max(...a));return`${t}, ${Br(i,e)} to ${Br(l,e)}, highest ${e.format(a[c]??0)} on ${Br(n[c]??l,e)}`}function Td({list:e}){return o(R,{children:[o("ul",{class:"meters",children:e.budgets.map(t=>o("li",{children:o(sh,{use:t})},`${t.of} ${t.id} ${t.budget}`))}),o(
"ul",{class:"meters small",children:e.data.map(t=>o("li",{children:o(ih,{use:t})},`${t.of} ${t.id} ${t.limit}`))})]})}var Sd=.9;function sh({use:e}){let{zone:t}=F(),
{used:n,held:r,most:s,remaining:i,unit:l,forecast:a}=e,c=a!==null&&a>s,p=i<=0?"bad":n+r>=Sd*s||c?"warn":"",h=`${hn(l,n)} spent, ${hn(l,r)} held, ${hn(l,Math.max(
0,i))} left of ${hn(l,s)}`;return o(R,{children:[o("div",{class:"row",children:[o("span",{children:[o(Cd,{use:e})," ",o("strong",{children:Zi(e)})]}),i<=0&&o("s\
pan",{class:"bad",children:r>0&&n<s?"all of it is used or held":"used up"}),o("span",{class:"rest muted small",children:e.reset?o(R,{children:["resets ",o("time",
{title:Ft(new Date(e.reset)),children:[Kn(new Date(e.reset),t)," ",Dt(new Date(e.reset),t)]})]}):"never resets"})]}),o(Pd,{label:`${e.name}: ${Zi(e)}`,said:h,most:s,
used:n,held:r,mark:a,tone:p}),o("div",{class:"row small",children:[o("span",{children:[hn(l,n)," spent"]}),r>0&&o("span",{class:"muted",children:[hn(l,r)," held\
 by running calls"]}),o("span",{class:i<=0?"bad":"muted",children:[hn(l,Math.max(0,i))," left"]}),a!==null&&o("span",{class:`rest ${c?"warn":"muted"}`,children:[
"at this rate ",hn(l,a)," when the ",Yi(e.budget)," ends"]})]})]})}function ih({use:e}){let{used:t,most:n,remaining:r}=e,s=r<=0?"bad":t>=Sd*n?"warn":"",i=`${t} \
used, ${r} left of ${n}`;return o(R,{children:[o("span",{children:[o(Cd,{use:e})," ",o("strong",{children:Ji(e)})]}),o(Pd,{label:`${e.name}: ${Ji(e)}`,said:i,most:n,
used:t,held:0,mark:null,tone:s}),o("div",{class:"row",children:[o("span",{children:[z(t)," used"]}),o("span",{class:r<=0?"bad":"muted",children:[z(Math.max(0,r)),
" left"]}),e.reset_ms?o("span",{class:"rest muted",children:["all back in ",Se(e.reset_ms*1e3)]}):null]})]})}function Cd({use:e}){switch(e.of){case"key":return o(
"span",{class:"muted",children:"Key"});case"team":return o("span",{class:"muted",children:["Team ",o("a",{href:ne("/teams/"+encodeURIComponent(e.id)),children:e.
name})]});default:return o("span",{class:"muted",children:["Model ",e.name]})}}function Pd({label:e,said:t,most:n,used:r,held:s,mark:i,tone:l}){let a=c=>`${Math.
min(100,Math.max(0,100*c/n))}%`;return o("div",{class:`meter ${l}`,role:"meter","aria-label":e,"aria-valuemin":0,"aria-valuemax":n,"aria-valuenow":Math.min(n,r+
s),"aria-valuetext":t,children:[o("i",{class:"held",style:{width:a(r+s)}}),o("i",{class:"used",style:{width:a(r)}}),i!==null&&o("i",{class:"mark",style:{left:a(
i)}})]})}function Vn({tone:e="",children:t}){return o("div",{class:`panel alert ${e}`,children:t})}function Gs({of:e,list:t}){return e.source!=="config"?null:o(Vn,{tone:"\
quiet-edge",children:o("span",{children:[e.name," is in the config file, under ",o("code",{children:t}),", and nothing of it can be changed here. Change it ther\
e: Weir reads the file anew within seconds.",t==="keys"&&o(R,{children:[" Another secret is made by ",o("code",{children:"weir keys create --offline"}),", which\
 prints the lines for the file."]})]})})}function zs({at:e}){let{zone:t}=F(),n=new Date(e);return o("time",{title:Ft(n),children:mt(n,t)})}function Ed({at:e}){let{
zone:t}=F();return o("time",{title:Ft(e),children:gs(e,t)})}function Us({of:e}){return o(R,{children:[o("dt",{children:"Id"}),o("dd",{children:[o("span",{class:"\
mono",children:e.id})," ",o(at,{text:e.id})]}),o("dt",{children:"Models"}),o("dd",{children:o(zn,{models:e.models,all:!0})}),e.budgets&&o(R,{children:[o("dt",{children:"\
Calls hold"}),o("dd",{children:e.reserve==="strict"?"the most they can take":"what is usual"})]}),e.cut&&o(R,{children:[o("dt",{children:"Streams"}),o("dd",{children:"\
end when a budget has no room"})]}),e.warn&&o(R,{children:[o("dt",{children:"Warns at"}),o("dd",{children:e.warn.map(t=>`${t} %`).join(", ")})]}),e.created_at&&
o(R,{children:[o("dt",{children:"Made"}),o("dd",{children:o(zs,{at:e.created_at})})]}),e.revoked_at&&o(R,{children:[o("dt",{children:"Revoked"}),o("dd",{children:o(
zs,{at:e.revoked_at})})]})]})}function Hs({of:e,asked:t,command:n,may:r}){return o("section",{class:"panel","aria-label":"Budgets and limits",children:[o("heade\
r",{children:[o("h2",{children:"Budgets and limits"}),o("div",{class:"rest",children:[o(De,{route:"GET /admin/v1/limits",asked:t,command:n}),r&&o("button",{class:"\
quiet",onClick:()=>ft("edit"),children:"Change"})]})]}),o(ge,{of:e,isEmpty:({data:s,budgets:i})=>s.length+i.length===0,empty:o(R,{children:[o("strong",{children:"\
Nothing bounds it"}),o("span",{children:"It may ask as often, and spend as much, as the providers allow."})]}),children:s=>o(Td,{list:s})})]})}function Ws({only:e}){
let{zone:t}=F(),n=xt(le().params),r=uo(n,t)==="month"?"month":"day",s={query:{by:`model,${r}`,since:n.since,...n.until&&{until:n.until},...e}},i=G("GET /admin/v\
1/usage",s);return o(ge,{of:i,children:({data:l,since:a,until:c})=>{if(l.every(m=>m.cost_nanodollars===0))return o("div",{class:"panel state",children:[o("stron\
g",{children:"Nothing was spent in this span"}),o("span",{children:"Choose another one above."})]});let p=Cn(new Date(a),new Date(c),r,t),h=Qo({rows:l,xs:p,zone:t,
group:m=>m.model??"",value:m=>m.cost_nanodollars});return o(_o,{title:`Cost per ${r}, by model`,kind:"bars",grain:r,xs:p,until:new Date,series:h,format:fe,axis:Go,
tools:o(De,{list:!0,route:"GET /admin/v1/usage",asked:s})})}})}var Md=200,lh=30;function ah(e,t=new Date){let n=Kt(Rt(t,e).slice(0,10)+"T12:00",e);return Rt(new Date(n.getTime()-(lh-1)*864e5),e).slice(0,10)}function Yn(e,t={}){
let{zone:n}=F(),r=ah(n),s=G("GET /admin/v1/usage",{query:{by:`${e},day`,since:r,top:Md,...t}}),i=Cn(Kt(r,n),new Date,"day",n).map(a=>a.getTime()),l=new Map;for(let a of s.
data?.data??[])uh(l,a[e]??"",a,i,ll(a,n));return{of:l,whole:s.data!==null&&l.size<Md,answer:s}}function uh(e,t,n,r,s){let i=e.get(t);i||e.set(t,i={cost:0,requests:0,
days:r.map(()=>0),last:null}),i.cost+=n.cost_nanodollars,i.requests+=n.requests;let l=r.indexOf(s.getTime());l>=0&&(i.days[l]=(i.days[l]??0)+n.cost_nanodollars),
n.attempts>0&&(i.last===null||s>i.last)&&(i.last=s)}function Bs(e){return[{key:"started",title:"Time",cell:t=>o(Ul,{at:t.started,zone:e}),sort:t=>t.started},{key:"key",title:"Key",cell:t=>t.key_name||t.key,sort:t=>t.
key_name},{key:"model",title:"Model",cell:t=>t.model,sort:t=>t.model},{key:"target",title:"Target",cell:t=>o(Wl,{...t}),sort:t=>`${t.provider}/${t.upstream}`},{
key:"status",title:"Status",cell:t=>o(js,{status:t.status,outcome:t.outcome,attempts:t.attempts}),sort:t=>t.status+t.outcome},{key:"took",title:"Took",num:!0,cell:t=>Se(
t.took_us),sort:t=>t.took_us},{key:"first",title:"First token",num:!0,cell:t=>Se(t.first_us),sort:t=>t.first_us??-1},{key:"tokens",title:"Tokens",num:!0,cell:t=>`${t.
estimated?"~ ":""}${z(t.input_tokens)} → ${z(t.output_tokens)}`,sort:t=>t.input_tokens+t.output_tokens,hint:"In and out. ~: Weir counted them, the provider di\
d not say"},{key:"cost",title:"Cost",num:!0,cell:t=>o(Hl,{nanodollars:t.cost_nanodollars}),sort:t=>t.cost_nanodollars}]}function Ul({at:e,zone:t}){let n=new Date(
e);return o("time",{dateTime:e,title:Ft(n),children:Tu(n,t)})}function Hl({nanodollars:e}){return o("span",{title:Me(e),children:fe(e,4)})}function Wl({provider:e,
upstream:t}){return o("span",{class:"mono",children:[e,"/",t]})}function js({status:e,outcome:t,attempts:n=1}){let r=e==="ok"?"good":e==="failed"?"bad":"warn",s=e===
"ok"||t===e||t==="ok"?e:t.replaceAll("_"," ");return o("span",{children:[o("span",{class:r,children:s}),n>1&&o("span",{class:"muted",children:[" ",n," tries"]})]})}function ur({id:e,onClose:t}){let n={path:{request:e}},r=G("GET /admin/v1/requests/{request}",n);return o(Tt,{aside:!0,title:"Request",onClose:t,children:[o("di\
v",{class:"row",children:[o("span",{class:"mono",children:e}),o(at,{text:e,label:"Copy id"}),o(De,{route:"GET /admin/v1/requests/{request}",asked:n,command:`wei\
r requests ${kt(e)}`})]}),o(ge,{of:r,children:s=>o(ch,{request:s})})]})}function ch({request:e}){let t=e.trail.filter(r=>r.adjusts===null),n=e.trail.filter(r=>r.
adjusts!==null);return o("div",{class:"stack",children:[o(dh,{request:e}),o("section",{class:"stack","aria-label":"Calls",children:[o("h3",{children:[ve(t.length,
"call")," in ",ve(e.attempts,"attempt")]}),t.map(r=>o(ph,{call:r,request:e},r.seq))]}),n.length>0&&o(hh,{calls:n}),o(bh,{request:e})]})}function dh({request:e}){
let{zone:t}=F(),n=[["Status",o(js,{status:e.status,outcome:e.outcome,attempts:e.attempts})],["Began",o(Ul,{at:e.started,zone:t})],["Key",o("a",{href:ne("/reques\
ts",{key:e.key}),children:e.key_name||e.key})],["Model",o("a",{href:ne("/requests",{model:e.model}),children:e.model})],["Took",Se(e.took_us)+(e.first_us===null?
"":`, first token after ${Se(e.first_us)}`)],["Weir’s own part",Se(e.own_us)],["Tokens",`${z(e.input_tokens)} in, ${z(e.output_tokens)} out${e.estimated?", co\
unted by Weir in part":""}`],["Cost",Me(e.cost_nanodollars)]];return e.client_id!==null&&n.push(["Caller’s id",o("span",{class:"mono",children:e.client_id})]),
e.tags.length>0&&n.push(["Tags",e.tags.join(", ")]),e.flags.length>0&&n.push(["Flags",e.flags.map(Vs).join(", ")]),o("dl",{class:"pairs",children:n.map(([r,s])=>[
o("dt",{children:r}),o("dd",{children:s})])})}function Vs(e){return e.replaceAll("_"," ")}function ph({call:e,request:t}){let n=(new Date(e.started).getTime()-new Date(
t.started).getTime())*1e3;return o("div",{class:"panel",children:[o("header",{children:[o("span",{class:"muted",children:e.try}),o(Wl,{...e}),o("div",{class:"re\
st wide",children:[o(js,{status:e.outcome==="ok"?"ok":"failed",outcome:e.outcome}),o(Hl,{nanodollars:e.cost_nanodollars})]})]}),o("div",{class:"body stack",children:[
o(fh,{after:n,call:e,whole:t.took_us}),o("p",{class:"small muted",children:[e.call>0&&`after ${Se(n)}, `,"took ",Se(e.took_us),e.first_us!==null&&`, first token\
 ${Se(e.first_us)}`,e.status!==null&&`, HTTP ${e.status}`,e.flags.length>0&&`, ${e.flags.map(Vs).join(", ")}`,`, tokens ${mh[e.source]}`]}),o(gh,{call:e}),e.upstream_id!==
null&&o("p",{class:"small",children:[o("span",{class:"muted",children:"The provider calls it "}),o("span",{class:"mono",children:e.upstream_id}),o(at,{text:e.upstream_id})]})]})]})}
var mh={provider:"as the provider reports",counted:"counted by Weir",reserved:"unknown: what was held is charged"};function fh({after:e,call:t,whole:n}){let r=a=>n>
0?Math.min(Math.max(a,0),n)/n*400:0,[s,i]=[r(e),r(e+t.took_us)],l=t.first_us===null?i:r(e+t.first_us);return o("svg",{class:"strip",viewBox:"0 0 400 8",preserveAspectRatio:"\
none","aria-hidden":"true",children:[o("rect",{width:"400",height:"8",class:"rail"}),o("rect",{x:s,width:Math.max(l-s,1),height:"8",class:t.outcome==="ok"?"wait":
"failed"}),o("rect",{x:l,width:Math.max(i-l,0),height:"8",class:"flow"})]})}function gh({call:e}){if(e.charges===null){let n=e.cost_source==="unpriced"?"No pric\
e is known for this target.":e.cost_source==="provider"?"The provider says what it costs.":"";return n===""?null:o("p",{class:"small muted",children:n})}if(e.charges.
length===0)return null;let t=[{key:"class",title:"Class",cell:n=>Vs(n.class)},{key:"units",title:"Units",num:!0,cell:n=>z(n.units)},{key:"price",title:"Each mil\
lion",num:!0,cell:n=>n.class==="search"||n.class==="request"?"":Me(n.price*1e3)},{key:"cost",title:"Cost",num:!0,cell:n=>Me(n.units*n.price/1e3),sum:Me(e.listed_nanodollars)}];
return o(R,{children:[o(Ie,{label:`What the call to ${e.provider} cost`,columns:t,rows:e.charges,id:n=>n.class}),e.price!==null&&o("p",{class:"small muted",children:[
"by the price ",o("span",{class:"mono",children:e.price})]})]})}function hh({calls:e}){let{zone:t}=F();return o("section",{class:"stack","aria-label":"Correctio\
ns",children:[o("h3",{children:"Corrections"}),e.map(n=>o("p",{children:[mt(new Date(n.started),t),": ",Me(n.cost_nanodollars),", ",n.reason]},n.seq))]})}function bh({
request:e}){let[t,n]=q(!1),r={query:{model:e.model,key:e.key}},s=G("GET /admin/v1/explain",t?r:null);return o("section",{class:"stack","aria-label":"Explained a\
gain",children:[o("div",{class:"row",children:[o("h3",{children:"What would it meet now?"}),o("button",{onClick:()=>t?s.reload():n(!0),children:"Explain again n\
ow"}),o(at,{text:`weir explain ${kt(e.model)} --key ${kt(e.key_name||e.key)}`,label:"Copy command"})]}),t&&o(ge,{of:s,children:i=>o(yh,{explanation:i})})]})}function yh({
explanation:e}){let t=e.plans.flatMap(r=>r.targets.map(s=>({...s,route:r.route}))),n=[{key:"turn",title:"Turn",num:!0,cell:r=>r.turn??"–"},{key:"target",title:"\
Target",cell:r=>o("span",{class:"mono",children:r.target})},{key:"model",title:"For",cell:r=>r.route},{key:"skip",title:"Note",wrap:!0,cell:r=>r.skip===null?r.breaker===
"closed"?"":o("span",{class:"warn",children:["breaker ",r.breaker]}):o("span",{class:"warn",children:["skipped: ",r.barred??Vs(r.skip)]})}];return o(R,{children:[
e.refused!==null&&o("p",{class:"bad",children:["It would be refused: ",e.refused]}),o(Ie,{label:"Targets in the order of trying",columns:n,rows:t,id:r=>r.route+
r.target})]})}function cr({children:e}){return o("dl",{class:"panel tiles",children:e})}function ut({label:e,figure:t,hint:n,tone:r="",children:s}){return o("div",{class:"til\
e",children:[o("dt",{children:e}),o("dd",{class:`figure ${r}`,title:n,children:t}),o("dd",{class:"note",children:s})]})}function Dd({name:e}){let t=G("GET /admin/v1/keys/{key}",{path:{key:e}}),n=xn("PATCH /admin/v1/keys/{key}")&&t.data?.source==="store"&&t.data.status!=="revoked";
return o(Ne,{title:t.data?.name??"Key",up:{path:"/keys",title:"Keys"},mark:t.data&&o(Ar,{of:t.data}),period:!0,of:t,tools:n&&o(_h,{}),children:o(ge,{of:t,children:r=>o(
vh,{of:r,may:n})})})}function _h(){return o(R,{children:[o("button",{onClick:()=>ft("edit"),children:"Edit"}),o("button",{onClick:()=>ft("rotate"),children:"Rot\
ate"}),o("button",{class:"danger",onClick:()=>ft("revoke"),children:"Revoke"})]})}function vh({of:e,may:t}){let[n]=Wn(),r={query:{key:e.id}},s=e.status==="activ\
e"||e.status==="expired",i=G("GET /admin/v1/limits",s?r:null),l=G("GET /admin/v1/requests",{query:{key:e.id,limit:10}}),a=Yn("key",r.query),c=l.data?.data[0]?.started??
null;return o("div",{class:"stack",children:[o(wh,{of:e}),o(xh,{of:e,last:c,spending:a}),o("div",{class:"sides",children:[s&&o(Hs,{of:i,asked:r,command:`weir li\
mits ${e.id}`,may:t}),o(Th,{of:e})]}),o(Ws,{only:r.query}),o(Sh,{of:l,keyID:e.id}),t&&n==="edit"&&o(Fu,{of:e}),t&&n==="rotate"&&o(zu,{of:e}),t&&n==="revoke"&&o(
Gu,{of:e,lastUsed:c?`Its last request came ${kn(Date.now()-Date.parse(c))} ago.`:"It has made no request that is still known."})]})}function wh({of:e}){let{zone:t}=F();
return o(R,{children:[e.unsaved&&o(Vn,{tone:"bad-edge",children:[o("strong",{class:"bad",children:"Refused here, but not saved."}),o("span",{children:[e.unsaved.
reason,". Weir tries again. ",e.unsaved.survives_restart?"A restart refuses it, too.":"It works again after a restart."]})]}),e.status==="team_revoked"&&o(Vn,{children:[
o("span",{class:"warn",children:"Its team is revoked, or not known here."}),o("span",{children:"The key is refused until it is in another team."})]}),e.status===
"expired"&&o(Vn,{children:[o("span",{class:"warn",children:"It has expired."}),o("span",{children:"A later date lets it in again."})]}),e.previous_until&&o(Vn,{
tone:"quiet-edge",children:o("span",{children:["The secret before the last rotation works until ",mt(new Date(e.previous_until),t),"."]})}),o(Gs,{of:e,list:"key\
s"})]})}function xh({of:e,last:t,spending:n}){let{zone:r}=F(),s=xt(le().params),i=G("GET /admin/v1/usage",{query:{by:"key",key:e.id,since:s.since,...s.until&&{until:s.
until}}}),l=n.of.get(e.id)?.cost??0;return o("section",{"aria-label":"Figures",children:o(ge,{of:i,children:({data:[a]})=>o(cr,{children:[o(ut,{label:`Spent, ${fn(
s,r).toLowerCase()}`,figure:fe(a?.cost_nanodollars??0),hint:Me(a?.cost_nanodollars??0),children:n.answer.data&&`${fe(l)} in 30 days`}),o(ut,{label:"Requests",figure:z(
a?.requests??0),children:[ve(a?.attempts??0,"call")," to providers"]}),o(ut,{label:"Tokens",figure:nn((a?.input_tokens??0)+(a?.output_tokens??0)),hint:z((a?.input_tokens??
0)+(a?.output_tokens??0)),children:[lt(a?.cache_read_tokens??0,a?.input_tokens??0)," of prompts from caches"]}),o(ut,{label:"Last request",figure:t?`${kn(Date.now()-
Date.parse(t)).split(" ").slice(0,2).join(" ")} ago`:"–",children:t?o(zs,{at:t}):"none is known"}),o(kh,{of:e})]})})})}function kh({of:e}){if(!e.expires_at)return o(
ut,{label:"Expires",figure:"Never"});let t=new Date(e.expires_at),n=t.getTime()-Date.now();return o(ut,{label:n>0?"Expires":"Expired",figure:n>0?`in ${kn(n).replace(
/ \d+ (min|s)$/,"")}`:`${kn(-n)} ago`,tone:n<ws?"warn":"",children:o(Ed,{at:t})})}function Th({of:e}){return o("section",{class:"panel","aria-label":"About the \
key",children:[o("header",{children:o("h2",{children:"About the key"})}),o("dl",{class:"pairs body",children:[o("dt",{children:"Team"}),o("dd",{children:e.team_id?
o("a",{href:ne("/teams/"+encodeURIComponent(e.team_id)),children:e.team??e.team_id}):o("span",{class:"muted",children:"none"})}),o(Us,{of:e}),o("dt",{children:"\
Repeats"}),o("dd",{children:e.idempotency?o(R,{children:["answers are kept for ",e.idempotency]}):o("span",{class:"muted",children:"Idempotency-Key is refused"})}),
e.explain&&o(R,{children:[o("dt",{children:"Explains"}),o("dd",{children:"with the header Weir-Explain"})]}),o("dt",{children:"Lives in"}),o("dd",{children:e.source===
"config"?"the config file":"the store"})]})]})}function Sh({of:e,keyID:t}){let{zone:n}=F(),r=le().params.get("request");return o("section",{class:"panel","aria-\
label":"Newest requests",children:[o("header",{children:[o("h2",{children:"Newest requests"}),o("div",{class:"rest",children:[o(De,{route:"GET /admin/v1/request\
s",asked:{query:{key:t}},command:`weir requests --key ${t}`,list:!0}),o("a",{class:"button quiet",href:ne("/requests",{key:t}),children:"All requests"})]})]}),o(
ge,{of:e,isEmpty:({data:s})=>s.length===0,empty:o(R,{children:[o("strong",{children:"No request yet"}),o("span",{children:"Nobody has called with this key, or i\
ts requests are no longer kept."})]}),children:({data:s})=>o(Ie,{label:"Newest requests",columns:Bs(n).filter(({key:i})=>i!=="key"),rows:s,id:i=>i.request,selected:r,
onOpen:i=>te({request:i.request})})}),r!==null&&o(ur,{id:r,onClose:()=>te({request:null})},r)]})}var Rd={query:{limit:1e3}},Ch=[{value:"",label:"Not revoked"},{value:"active",label:"Active"},{value:"expired",label:"Expired"},{value:"team_revoked",label:"Tea\
m revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function qd(){let e=G("GET /admin/v1/keys",Rd),[t]=Wn(),n=xn("POST /admin/v1/keys"),{params:r}=le();
return o(Ne,{title:"Keys",team:!0,of:e,tools:n&&o("button",{class:"primary",onClick:()=>ft("create"),children:"Create key"}),children:[o("section",{class:"panel",
"aria-label":"Keys",children:[o("header",{children:[o(Ph,{}),o("div",{class:"rest",children:o(De,{list:!0,route:"GET /admin/v1/keys",asked:Rd,command:"weir keys\
 list"})})]}),o(ge,{of:e,isEmpty:({data:s})=>s.length===0,empty:o(Eh,{may:n}),children:({data:s,next:i})=>o(Mh,{keys:s,more:i!==null})})]}),t==="create"&&n&&o(Ts,
{team:r.get("team")??""})]})}function Ph(){let{params:e}=le();return o("div",{class:"filters",role:"search","aria-label":"Keys",children:[o(ae,{bare:!0,label:"N\
ame, id or model",type:"search",placeholder:"Name, id or model",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),o(Ve,{bare:!0,label:"Status",value:e.get("status")??
"",options:Ch,onChange:t=>te({status:t})})]})}function Eh({may:e}){return o(R,{children:[o("strong",{children:"No key yet"}),o("span",{children:"Callers need on\
e. Make it here or on the command line:"}),o("pre",{class:"code",children:"weir keys create --name my-app"}),e&&o("button",{class:"primary",onClick:()=>ft("crea\
te"),children:"Create key"})]})}function Mh({keys:e,more:t}){let{zone:n}=F(),r=Yn("key"),{params:s}=le(),[i,l,a]=[(s.get("q")??"").toLowerCase(),s.get("team")??
"",s.get("status")??""],c=e.filter(p=>Dh(p,i)&&(l===""||p.team===l)&&(a==="all"||(a===""?p.status!=="revoked":p.status===a)));return o(R,{children:[c.length===0?
o(Rh,{text:s.get("q")??""}):o(Ie,{label:"Keys",columns:qh(n,r),rows:c,id:p=>p.id,sorted:"-spent",most:100}),t&&o("p",{class:"state small",children:["Only the fi\
rst ",z(e.length)," keys are listed. Look for others by their whole name or id."]}),o("p",{class:"unseen",role:"status",children:[c.length," of ",e.length," key\
s are shown"]})]})}function Dh(e,t){return t===""||e.name.toLowerCase().includes(t)||e.id.toLowerCase()===t||(e.models??[]).some(n=>n.toLowerCase().includes(t))}
function Rh({text:e}){let[t,n]=q(!1);return o("div",{class:"state",children:[o("strong",{children:"No key matches"}),o("div",{class:"row",children:[o("button",{
onClick:()=>te({q:null,status:null,team:null}),children:"Clear filters"}),e!==""&&o("button",{disabled:t,onClick:()=>{n(!0),We("GET /admin/v1/keys/{key}",{path:{
key:e}}).then(({id:s})=>Fn(ne("/keys/"+s)),s=>bs(tn(s).message,!0)).finally(()=>n(!1))},children:["Look for a key called ",e]})]})]})}function qh(e,t){let n=s=>t.
of.get(s.id)?.cost??-1,r=s=>t.of.get(s.id)?.last??null;return[{key:"name",title:"Key",cell:s=>o("div",{class:"words",children:[o("a",{href:ne("/keys/"+encodeURIComponent(
s.id)),children:s.name}),o("span",{class:"second mono",children:s.id})]}),sort:s=>s.name},{key:"team",title:"Team",cell:s=>s.team&&s.team_id?o("a",{href:ne("/te\
ams/"+encodeURIComponent(s.team_id)),children:s.team}):o("span",{class:"muted",children:"–"}),sort:s=>s.team??""},{key:"spent",title:"Spent in 30 days",num:!0,
cell:s=>o(Vo,{spending:t,id:s.id}),sort:n},{key:"last",title:"Last used",cell:s=>o($h,{at:r(s),spending:t,zone:e}),sort:s=>r(s)?.getTime()??0},{key:"models",title:"\
Models",cell:s=>o(zn,{models:s.models}),sort:s=>(s.models??[]).join()},{key:"bounds",title:"Budgets, limits",cell:s=>o(jo,{of:s}),sort:Wo},{key:"expires",title:"\
Expires",cell:s=>s.expires_at?o("time",{title:Ft(new Date(s.expires_at)),children:gs(new Date(s.expires_at),e)}):o("span",{class:"muted",children:"never"}),sort:s=>s.
expires_at?Date.parse(s.expires_at):1/0},{key:"status",title:"Status",cell:s=>o(Bo,{of:s}),sort:s=>In(s).word}]}function $h({at:e,spending:t,zone:n}){return e?o(
R,{children:Kn(e,n)}):o("span",{class:"muted",children:t.whole?"not in 30 days":"–"})}function jl(e){let t=["models:",`  ${Bl(e.id)}:`,`    targets: [${e.targets.map(({target:s})=>Bl(s)).join(", ")}]`];e.policy!=="ordered"&&t.push(`    policy: ${e.
policy}`),e.sticky!=="none"&&t.push(`    sticky: ${e.sticky}`);let[n,...r]=e.fallbacks.map(({on:s,to:i})=>`{on: [${s.join(", ")}], to: [${i.map(Bl).join(", ")}]\
}`);return n!==void 0&&t.push(`    fallbacks: ${r.length===0?n:`[${[n,...r].join(", ")}]`}`),t.join(`
`)+`
`}function Bl(e){return/^[A-Za-z_/][\w./~@+-]*(?: [\w./~@+-]+)*$/.test(e)&&!/^(true|false|null|yes|no|on|off|~)$/i.test(e)?e:JSON.stringify(e)}function Ad(){let{zone:e}=F(),{params:t}=le(),n=xt(t),r=G("GET /admin/v1/models",{}),s=Ah(n.since,n.until),i=t.get("find")??"",l=t.get("model");return o(Ne,{title:"\
Models",period:!0,of:r,children:[o("section",{class:"panel","aria-label":"Models",children:[o("header",{children:[o(ae,{bare:!0,label:"Find a model or target",type:"\
search",placeholder:"Find a model or target",value:i,onInput:a=>te({find:a},!0)}),o("span",{class:"muted small",children:["Health now; the rest ",fn(n,e).toLowerCase()]}),
o("div",{class:"rest",children:o(De,{list:!0,route:"GET /admin/v1/models",asked:{},command:"weir models"})})]}),o(ge,{of:r,isEmpty:({data:a})=>a.length===0,empty:o(
Hh,{}),children:({data:a})=>{let c=a.filter(p=>Oh(p,i));return c.length===0?o("div",{class:"state",children:["No model and no target has “",i,"” in its name."]}):
o(Kh,{models:c,figures:s})}})]}),l!==null&&r.data&&o(Uh,{model:r.data.data.find(a=>a.id===l),name:l})]})}function Ah(e,t){let n={since:e,...t&&{until:t}},r=G("G\
ET /admin/v1/usage",{query:{by:"model",...n}}),s=G("GET /admin/v1/latency",{query:{by:"model",...n}}),i=G("GET /admin/v1/latency",{query:{by:"model,target",...n}});
return{usage:new Map((r.data?.data??[]).map(l=>[l.model??"",l])),speeds:new Map((s.data?.data??[]).map(l=>[l.model??"",l])),targets:Lh(i.data?.data??[])}}function Lh(e){
let t=new Map;for(let n of e)t.set(n.model??"",[...t.get(n.model??"")??[],n]);return t}function Oh(e,t){let n=r=>r.toLowerCase().includes(t.trim().toLowerCase());
return n(e.id)||e.targets.some(({target:r})=>n(r))}var Fh=[["Requests","Of a target: calls to it"],["Share","Of the calls that requests for the model led to"],[
"Failed","Calls of which the target is at fault"],["First token, p95","95 % of calls had their first content within"],["Whole, p95","95 % of answered calls ende\
d within"],["Cost of 1,000","What 1,000 requests cost"],["From caches","The share of prompts that providers read from their caches"]];function Kh({models:e,figures:t}){
return o("div",{class:"scroll",tabIndex:0,role:"group","aria-label":"Models and their targets",children:o("table",{class:"grouped",children:[o("thead",{children:o(
"tr",{children:[o("th",{scope:"col",children:"Model, and its targets in order"}),o("th",{scope:"col",children:"Health"}),Fh.map(([n,r])=>o("th",{scope:"col",colSpan:n===
"Share"?2:1,class:n==="Share"?void 0:"num",title:r,children:n},n))]})}),e.map(n=>o(Nh,{model:n,figures:t},n.id))]})})}function Nh({model:e,figures:t}){let n=t.usage.
get(e.id),r=t.speeds.get(e.id),s=t.targets.get(e.id)??[],i=s.reduce((c,p)=>c+p.calls,0),l=e.targets.map(c=>({target:c,rows:s.filter(p=>$d(c.target,p.target??""))})),
a=s.filter(c=>!e.targets.some(({target:p})=>$d(p,c.target??"")));return o("tbody",{children:[o("tr",{class:"first",children:[o("th",{scope:"rowgroup",colSpan:2,
children:o("div",{class:"row",children:[o("a",{href:Cr({model:e.id}),children:e.id}),o("span",{class:"muted small",children:Ih(e)})]})}),o("td",{class:"num",children:n?
z(n.requests):"–"}),o("td",{colSpan:2}),o(Vl,{row:r}),o("td",{class:"num",children:n&&n.requests>0?o("span",{title:Me(n.cost_nanodollars)+" in all",children:fe(
n.cost_nanodollars*1e3/n.requests)}):"–"}),o("td",{class:"num",children:n&&n.input_tokens>0?lt(n.cache_read_tokens,n.input_tokens):"–"})]}),l.map(({target:c,
rows:p},h)=>o(zh,{turn:e.policy==="ordered"?h+1:0,target:c,rows:p,calls:i},c.target)),a.length>0&&o(Gh,{rows:a,calls:i}),e.fallbacks.map(c=>o("tr",{class:"then",
children:o("td",{colSpan:10,class:"muted",children:["on ",c.on.map(p=>p.replace("_"," ")).join(", "),": ",c.to.map((p,h)=>o("span",{children:[h>0&&", ",o("a",{href:Cr(
{model:p}),children:p})]},p))]})},c.on.join()))]})}function $d(e,t){return e.endsWith("*")?t.startsWith(e.slice(0,-1)):t===e}function Ih(e){let t=[e.policy];return e.
sticky!=="none"&&t.push(`sticky by ${e.sticky}`),e.context_length!==null&&t.push(`${z(e.context_length)} tokens`),t.join(" · ")}function zh({turn:e,target:t,rows:n,
calls:r}){let s=n.reduce((i,l)=>i+l.calls,0);return o("tr",{children:[o("td",{class:"target",children:[o("span",{class:"turn muted",children:e>0?e:"·"}),o("cod\
e",{children:t.target}),t.models_down>0&&o("span",{class:"warn small",children:[" ",t.models_down," of its models down"]})]}),o("td",{children:o(qr,{health:t.health})}),
o("td",{class:"num",children:r>0?z(s):"–"}),o("td",{class:"num",children:r>0?lt(s,r):"–"}),o("td",{class:"part",children:r>0&&o(Tn,{part:s,whole:r})}),o(Vl,
{row:Ld(n)}),o("td",{colSpan:2,class:"muted num",children:t.priced===!1&&"no known price"})]})}function Gh({rows:e,calls:t}){let n=e.reduce((r,s)=>r+s.calls,0);
return o("tr",{children:[o("td",{class:"target",colSpan:2,title:e.map(r=>r.target).join(", "),children:[o("span",{class:"turn muted",children:"·"}),o("span",{class:"\
muted",children:"fallbacks, and targets of before"})]}),o("td",{class:"num",children:z(n)}),o("td",{class:"num",children:lt(n,t)}),o("td",{class:"part",children:o(
Tn,{part:n,whole:t})}),o(Vl,{row:Ld(e)}),o("td",{colSpan:2})]})}function Ld(e){let[t,...n]=e;if(!t||n.length===0)return t;let r={calls:0,p50_us:null,p90_us:null,
p95_us:null,p99_us:null};return{calls:e.reduce((s,i)=>s+i.calls,0),failed:e.reduce((s,i)=>s+i.failed,0),first:r,took:r}}function Vl({row:e}){return o(R,{children:[
o("td",{class:e&&e.failed>0?"num warn":"num",children:e?lt(e.failed,e.calls):"–"}),o("td",{class:"num",children:Se(e?.first.p95_us??null)}),o("td",{class:"num",
children:Se(e?.took.p95_us??null)})]})}function Uh({model:e,name:t}){let n=()=>te({model:null});return e?o(Tt,{aside:!0,title:e.id,onClose:n,children:[o("div",{
class:"row",children:[o("a",{class:"button",href:ne("/explain",{model:e.id}),children:"Explain"}),o("a",{class:"button",href:ne("/playground",{model:e.id}),children:"\
Try it"}),o("a",{class:"button",href:ne("/requests",{model:e.id}),children:"Requests"}),o("a",{class:"button",href:ne("/usage",{model:e.id}),children:"Usage"})]}),
o("dl",{class:"pairs",children:[e.display_name!==null&&o(R,{children:[o("dt",{children:"Shown as"}),o("dd",{children:e.display_name})]}),o("dt",{children:"Order"}),
o("dd",{children:[e.policy,e.sticky!=="none"&&`, sticky by ${e.sticky}`]}),o("dt",{children:"Prompt and answer"}),o("dd",{children:e.context_length===null?"not \
known":`${z(e.context_length)} tokens`}),o("dt",{children:"Answer at most"}),o("dd",{children:e.max_output_tokens===null?"not known":`${z(e.max_output_tokens)} \
tokens`})]}),o("h3",{children:"Targets"}),e.targets.map(r=>o("dl",{class:"pairs",children:[o("dt",{children:"Target"}),o("dd",{children:o("code",{children:r.target})}),
o("dt",{children:"Health"}),o("dd",{children:[o(qr,{health:r.health}),r.health&&r.health.in_flight>0&&`, ${z(r.health.in_flight)} in flight`]}),o("dt",{children:"\
Known as"}),o("dd",{children:[r.row===null?"nothing known of it":o("code",{children:r.row}),r.family&&", its family",r.overridden&&", changed by the config"]}),
o("dt",{children:"Price"}),o("dd",{class:r.priced===!1?"warn":void 0,children:r.priced===!1?"not known: its calls cost nothing in the account":r.priced===null?"\
that of each model":"known"})]},r.target)),o("div",{class:"row",children:[o("h3",{children:"In the config"}),o("span",{class:"muted small",children:"The file de\
cides: change it there."}),o("div",{class:"rest",children:o(at,{text:jl(e)})})]}),o("pre",{class:"code",children:jl(e)}),o("p",{class:"muted small",children:"On\
ly what this page knows of the model. Its weights, prices, limits and timeouts, if the file sets them, are not in it."})]}):o(Tt,{aside:!0,title:t,onClose:n,children:o(
"p",{children:"The config has no such model."})})}function Hh(){return o(R,{children:[o("strong",{children:"The config has no models"}),o("span",{children:"Add \
one to the file, then weir reload:"}),o("pre",{class:"code",children:`models:
  smart: {targets: [openai/gpt-5]}`})]})}function Od(){let{params:e}=le(),t={period:xt(e),team:e.get("team")??""},n=G("GET /admin/v1/usage",{query:{by:"model",...dr(t)}});return o(Ne,{title:"Overview",
period:!0,team:!0,of:n,children:[o(Wh,{about:t,totals:n}),o(Vh,{}),o(Jh,{about:t,by:e.get("by")??"model"}),t.team===""&&o(Xh,{about:t}),o(eb,{about:t})]})}function dr({
period:e,team:t}){return{since:e.since,...e.until&&{until:e.until},...t&&{team:t}}}function yn(e,t){return e.reduce((n,r)=>n+t(r),0)}function Wh({about:e,totals:t}){
let{zone:n}=F(),r=G("GET /admin/v1/usage",{query:{by:"model",...dr({...e,period:hs(e.period,n)})}}),s=G("GET /admin/v1/latency",{query:{by:"all",...dr({...e,team:""})}}),
i=G("GET /admin/v1/requests",{query:{limit:100,...e.team&&{team:e.team}}}),l=r.data?yn(r.data.data,a=>a.cost_nanodollars):0;return o("section",{"aria-label":"Fi\
gures",children:o(ge,{of:t,children:({data:a})=>{let c=yn(a,b=>b.cost_nanodollars),p=yn(a,b=>b.input_tokens+b.output_tokens),h=yn(a,b=>b.attempts),m=s.data?.data[0],
y=Bh((i.data?.data??[]).map(b=>b.own_us));return o(cr,{children:[o(ut,{label:"Cost",figure:fe(c),hint:Me(c),children:Tr(c,l)?`${Tr(c,l)} on the span before`:"no\
thing in the span before"}),o(ut,{label:"Requests",figure:z(yn(a,b=>b.requests)),children:e.team?ve(h,"call"):`${lt(m?.failed??0,m?.calls??0)} of ${ve(m?.calls??
0,"call")} failed`}),o(ut,{label:"Tokens",figure:nn(p),hint:z(p),children:[lt(yn(a,b=>b.cache_read_tokens),yn(a,b=>b.input_tokens))," of prompts from caches"]}),
o(ut,{label:"First token, p95",figure:Se(m?.first.p95_us??null),children:y===null?"no requests yet":`Weir’s own part ${Se(y)}`}),o(jh,{rows:a})]})}})})}function Bh(e){
let t=e.toSorted((n,r)=>n-r);return t[Math.floor(t.length/2)]??null}function jh({rows:e}){let[t,n,r]=[yn(e,i=>i.orphaned),yn(e,i=>i.in_doubt),yn(e,i=>i.estimated)],
s=t+n;return o(ut,{label:"Ledger",figure:s===0?"Complete":ve(s,"open row"),tone:s===0?"":"warn",children:[ve(r,"estimated row"),s>0&&`, ${z(t)} orphaned, ${z(n)}\
 in doubt`]})}function Vh(){let{zone:e}=F(),t=G("GET /admin/v1/models",{}),n=new Map((t.data?.data??[]).flatMap(Yh));return n.size===0?null:o("section",{class:"\
stack","aria-label":"Troubles",children:[...n].map(([r,s])=>o("div",{class:"panel alert",children:[o("span",{class:"mono",children:r}),o("span",{class:"warn",children:[
"breaker ",s.breaker,s.open_until?` until ${Dt(new Date(s.open_until),e)}`:""]}),o("a",{href:ne("/providers"),children:"Providers"})]},r))})}function Yh(e){return e.
targets.flatMap(({target:t,health:n})=>n&&n.breaker!=="closed"?[[t,n]]:[])}var Zh=["model","team","key","provider"];function Jh({about:e,by:t}){let{zone:n}=F(),
r=uo(e.period,n),s={query:{by:`${t},${r}`,...dr(e)}},i=G("GET /admin/v1/usage",s),l=o(R,{children:[o(Nn,{label:"Divide by",value:t,options:Zh.map(a=>({value:a,label:a})),
onChange:a=>te({by:a==="model"?null:a})}),o(De,{list:!0,route:"GET /admin/v1/usage",asked:s,command:`weir usage --by ${t},${r} --since ${e.period.since}`})]});return o(
ge,{of:i,children:({data:a,since:c,until:p})=>{let h=Cn(new Date(c),new Date(p),r,n),m=Qo({rows:a,xs:h,zone:n,group:y=>po(y,t),value:y=>y.cost_nanodollars});return o(
_o,{title:`Cost per ${r}, by ${t}`,kind:"bars",grain:r,xs:h,until:new Date,series:m,format:fe,axis:Go,tools:l,onPick:y=>te(Qh(t,y))})}})}function Qh(e,t){return e===
"team"?{team:t}:{[e]:t}}function Xh({about:e}){let{zone:t}=F(),n=uo(e.period,t)==="hour"?"hour":"day",r={query:{by:n,...dr({...e,team:""})}},s=G("GET /admin/v1/\
latency",r);return o(ge,{of:s,children:({data:i,since:l,until:a})=>{let c=Cn(new Date(l),new Date(a),n,t);return o(_o,{title:`Time of calls per ${n}`,kind:"line\
s",grain:n,xs:c,until:new Date,series:Wu(i,c,"took"),format:Se,axis:vu,tools:o(De,{list:!0,route:"GET /admin/v1/latency",asked:r})})}})}function eb({about:e}){let{
zone:t}=F(),n={query:{by:"key",top:50,...dr(e)}},r=G("GET /admin/v1/usage",n);return o("section",{class:"panel","aria-label":"Keys by cost",children:[o("header",
{children:[o("h2",{children:"Keys by cost"}),o("span",{class:"muted small",children:fn(e.period,t)}),o("div",{class:"rest",children:o(De,{list:!0,route:"GET /ad\
min/v1/usage",asked:n,command:`weir usage --by key --top 50 --since ${e.period.since}`})})]}),o(ge,{of:r,isEmpty:({data:s})=>s.length===0,empty:o(Yl,{}),children:({
data:s})=>o(Ie,{label:"Keys by cost",columns:tb(s),rows:s,id:i=>i.key??"",sorted:"-cost"})})]})}function tb(e){let t=Math.max(0,...e.map(n=>n.cost_nanodollars));
return[{key:"key",title:"Key",cell:n=>o("a",{href:ne("/requests",{key:n.key??""}),children:n.name||n.key}),sort:n=>n.name||n.key||""},{key:"cost",title:"Cost",num:!0,
cell:n=>o("span",{title:Me(n.cost_nanodollars),children:fe(n.cost_nanodollars)}),sort:n=>n.cost_nanodollars},{key:"share",title:"Share",cell:n=>o(Tn,{part:n.cost_nanodollars,
whole:t})},{key:"requests",title:"Requests",num:!0,cell:n=>z(n.requests),sort:n=>n.requests},{key:"input",title:"Tokens in",num:!0,cell:n=>z(n.input_tokens),sort:n=>n.
input_tokens},{key:"output",title:"Tokens out",num:!0,cell:n=>z(n.output_tokens),sort:n=>n.output_tokens},{key:"cached",title:"From caches",num:!0,cell:n=>lt(n.
cache_read_tokens,n.input_tokens),sort:n=>n.input_tokens?n.cache_read_tokens/n.input_tokens:0}]}function Yl(){return o(R,{children:[o("strong",{children:"No req\
uest in this span"}),o("span",{children:"Make a key and call a model with it:"}),o("pre",{class:"code",children:`weir keys create my-app
curl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\
  -d '{"model": "smart", "messages": [{"role": "user", "content": "Hello"}]}'`})]})}function Fd({progress:e,onKeep:t}){let{text:n,thought:r,calls:s,ended:i,error:l,finish:a}=e,c=ib(i?e.request:null);return o("section",{class:"panel answer","ari\
a-label":"Answer","aria-busy":!i,children:[o("header",{children:[o("h2",{children:"Answer"}),o("span",{class:"muted small",children:e.target}),o("div",{class:"r\
est",children:[n!==""&&o(at,{text:n}),i&&n!==""&&o("button",{class:"quiet",onClick:()=>t(n),children:"Go on from here"})]})]}),o(nb,{progress:e,record:c}),r!==""&&
o("details",{class:"body",children:[o("summary",{class:"muted small",children:"Reasoning"}),o("div",{class:"spoken muted",children:r})]}),(n!==""||!l)&&o("div",
{class:"body spoken",tabIndex:0,"aria-label":"Text of the answer",children:[n,!i&&o("span",{class:"caret","aria-hidden":"true"})]}),s!==""&&o("div",{class:"body",
children:o("pre",{class:"code",children:s})}),l&&(l.code==="stopped"?o("p",{class:"body muted",children:"You stopped it. What had come until then is charged."}):
o(co,{error:l})),i&&a!==null&&a!=="stop"&&o("p",{class:"body warn small",children:["It ended with finish_reason ",a,"."]}),o("span",{class:"unseen",role:"status",
children:i?l?"The call has failed":"The answer is complete":"The answer comes"}),e.request!==null&&o(ob,{id:e.request})]})}function nb({progress:e,record:t}){let{
usage:n,firstMs:r,tookMs:s,ended:i}=e,[l,a]=[n?.prompt_tokens??t?.input_tokens,n?.completion_tokens??t?.output_tokens],c=r!==null&&a!==void 0&&i&&s-r>1?a/((s-r)/
1e3):null;return o(cr,{children:[o(ut,{label:"First token",figure:r===null?"–":Se(Math.round(r*1e3)),children:"as this page saw it"}),o(ut,{label:"Whole",figure:Se(
Math.round(s*1e3)),children:t?`Weir’s own part ${Se(t.own_us)}`:" "}),o(ut,{label:"Tokens",figure:l===void 0||a===void 0?"–":`${z(l)} → ${z(a)}`,children:c===
null?" ":`${c.toFixed(c<10?1:0)} a second`}),o(ut,{label:"Cost",figure:t?fe(t.cost_nanodollars,4):"–",...t&&{hint:Me(t.cost_nanodollars)},children:t?t.attempts>
1?`${z(t.attempts)} attempts`:"charged to the key":i?"not in the ledger yet":" "})]})}function ob({id:e}){let[t,n]=q(!1);return o("div",{class:"row body",children:[
o("span",{class:"mono muted",children:e}),o(at,{text:e,label:"Copy id"}),o("button",{class:"quiet",onClick:()=>n(!0),children:"Trail"}),t&&o(ur,{id:e,onClose:()=>n(
!1)})]})}var rb=[200,500,1e3,2e3,4e3];async function sb(e,t){return(await We("GET /admin/v1/attempts",{query:{request:e,limit:1}},t)).data.length===0?null:We("G\
ET /admin/v1/requests/{request}",{path:{request:e}},t)}function ib(e){let[t,n]=q(null);return de(()=>{if(n(null),e===null)return;let r=new AbortController,s=0,i=l=>{
let a=rb[l];a!==void 0&&(s=window.setTimeout(()=>{sb(e,r.signal).then(c=>c?n(c):i(l+1),()=>i(l+1))},a))};return i(0),()=>{r.abort(),clearTimeout(s)}},[e]),t}var Kd=["user","assistant","developer"],jr=[{name:"temperature",label:"Temperature",number:!0},{name:"top_p",label:"Top p",number:!0},{name:"max_tokens",label:"\
Tokens at most",number:!0},{name:"seed",label:"Seed",number:!0},{name:"stop",label:"Stop at",number:!1},{name:"reasoning_effort",label:"Reasoning effort",number:!1}];
function Nd({model:e,system:t,messages:n,values:r,stream:s}){let i=t.trim()===""?n:[{role:"system",content:t},...n],l={model:e,messages:i};for(let{name:a,number:c}of jr){
let p=r[a]?.trim()??"";p!==""&&(l[a]=c?Number(p):p)}return s&&Object.assign(l,{stream:!0,stream_options:{include_usage:!0}}),l}function Zl(e,t){return jr.find(r=>r.
name===e)?.number===!0&&t.trim()!==""&&!Number.isFinite(Number(t))?"A number, such as 0.7":null}var lb={text:"",thought:"",calls:"",finish:null,usage:null,firstMs:null,
tookMs:0,request:null,target:null,ended:!1,error:null},ab="/admin/v1/playground/v1/chat/completions";async function Id(e,t,n,r){let s=performance.now(),i=lb,l=a=>n(
i={...i,...a,tookMs:performance.now()-s});l({});try{let a=await du(ab,e,{"weir-playground-key":t,accept:"application/json, text/event-stream"},r),[c,p]=[a.headers.
get("weir-provider"),a.headers.get("weir-model")];if(l({request:a.headers.get("x-request-id"),target:c&&p&&`${c}/${p}`}),!a.ok)throw await Oi(a);let h=a.headers.
get("content-type")?.startsWith("text/event-stream")?db(a):cb(a);for await(let m of h){if(m.error)throw new wt(0,m.error.code??"",m.error.message??"The answer b\
roke off.");let y=ub(i,m);i.firstMs===null&&y.text+y.thought+y.calls!==""&&(y.firstMs=performance.now()-s),l(y)}l({ended:!0})}catch(a){let c=a instanceof wt?a:r.
aborted?new wt(0,"stopped","You stopped it."):new wt(0,"failed",a instanceof Error?a.message:String(a));l({ended:!0,error:c})}}function ub(e,{choices:t,usage:n}){
let[r]=t??[],s=r?.delta??r?.message,i=(s?.tool_calls??[]).map(l=>(l.function?.name?`${e.calls===""?"":`
`}${l.function.name} `:"")+(l.function?.arguments??"")).join("");return{...e,text:e.text+(s?.content??""),thought:e.thought+(s?.reasoning_content??""),calls:e.calls+
i,finish:r?.finish_reason??e.finish,usage:n??e.usage}}async function*cb(e){yield await e.json()}async function*db(e){if(!e.body)return;let t=e.body.pipeThrough(
new TextDecoderStream).getReader(),n="";for(;;){let{value:r,done:s}=await t.read();if(s)return;let i=(n+r).split(`
`);n=i.pop()??"";for(let l of i){let a=/^data: ?(.*?)\r?$/.exec(l)?.[1];a!==void 0&&a!=="[DONE]"&&(yield JSON.parse(a))}}}function zd(){let{models:e}=F(),{params:t}=le(),n=!0,[r,s]=q(""),[i,l]=q({model:t.get("model")??e[0]??"",system:"",messages:[{role:"user",content:""}],values:{},
stream:!0}),[a,c]=q(null),p=mb(),h=C=>l({...i,...C}),m=a??JSON.stringify(Nd(i),null,2),y=a===null?null:pb(a),b=jr.some(({name:C})=>Zl(C,i.values[C]??"")!==null),
w=r.trim()!==""&&y===null&&(a!==null||i.model!==""&&!b&&i.messages.some(({content:C})=>C.trim()!=="")),M=C=>{C?.preventDefault(),w&&!p.running&&p.start(m,r.trim())},
P=C=>{h({messages:[...i.messages,{role:"assistant",content:C},{role:"user",content:""}]}),c(null)};return n?o(Ne,{title:"Playground",children:o("form",{class:"p\
lay",onSubmit:M,onKeyDown:C=>C.key==="Enter"&&(C.ctrlKey||C.metaKey)&&M(C),children:[o(fb,{apiKey:r,onKey:s,form:i,change:h,off:a!==null}),o("div",{class:"stack",
children:[o("section",{class:"panel","aria-label":"Request",children:[o("header",{children:[o(Nn,{label:"Write the request as",value:a===null?"form":"raw",options:[
{value:"form",label:"Messages"},{value:"raw",label:"JSON"}],onChange:C=>c(C==="raw"?m:null)}),a!==null&&o("span",{class:"muted small",children:"This is sent as \
it is. Messages does not take it over."}),o("div",{class:"rest",children:p.running?o("button",{type:"button",onClick:p.stop,children:"Stop"}):o("button",{class:"\
primary",disabled:!w,title:"Ctrl Enter",children:"Send"})})]}),o("div",{class:"body stack small-gap",children:[a===null?o(hb,{form:i,change:h}):o(Ho,{code:!0,label:"\
Body of POST /v1/chat/completions",rows:16,value:a,onInput:c,wrong:y}),r.trim()===""&&o("span",{class:"muted small",children:"An API key is wanted: the call cou\
nts and costs as one of that key."})]})]}),p.progress&&o(Fd,{progress:p.progress,onKeep:P})]})]})}):o(Ne,{title:"Playground",children:o("section",{class:"panel \
state",children:[o("strong",{children:"Your role does not allow this"}),o("span",{children:"It takes the permission playground.use."})]})})}function pb(e){try{return JSON.
parse(e),null}catch(t){return t instanceof Error?t.message:"This is no JSON."}}function mb(){let[e,t]=q(null),n=pt(null),r=pt(null),s=pt(0);de(()=>()=>n.current?.
abort(),[]);let i=a=>{r.current=a,s.current===0&&(s.current=requestAnimationFrame(()=>{s.current=0,t(r.current)}))},l=(a,c)=>{let{signal:p}=n.current=new AbortController;
Id(a,c,h=>n.current?.signal===p&&i(h),p)};return{progress:e,running:e!==null&&!e.ended,start:l,stop:()=>n.current?.abort()}}function fb({apiKey:e,onKey:t,form:n,
change:r,off:s}){let i=(l,a)=>r({values:{...n.values,[l]:a}});return o("section",{class:"panel pad stack","aria-label":"Key, model and parameters",children:[o(ae,
{label:"API key",type:"password",value:e,onInput:t,placeholder:"sk-weir-…",hint:"It stays in the memory of this page, and is forgotten when you leave it."}),o(
gb,{apiKey:e,model:n.model,onChange:l=>r({model:l})}),s?o("span",{class:"muted small",children:"The JSON says the rest."}):o(R,{children:[o("div",{class:"pair",
children:jr.map(({name:l,label:a})=>o(ae,{label:a,value:n.values[l]??"",onInput:c=>i(l,c),wrong:Zl(l,n.values[l]??""),placeholder:"default",...l==="reasoning_ef\
fort"&&{list:["none","low","medium","high"]}},l))}),o(gn,{label:"Stream the answer",checked:n.stream,onChange:l=>r({stream:l})})]})]})}function gb({apiKey:e,model:t,
onChange:n}){let{models:r}=F(),s=/^sk-weir-([A-Za-z0-9]{12})-/.exec(e.trim())?.[1],i=G("GET /admin/v1/models",s===void 0?null:{query:{key:s}}),l=s!==void 0&&i.data?
i.data.data.map(y=>y.id):r,a=s!==void 0&&i.data!==null,c=a?"Those that this key may use.":"",h=a&&!l.includes(t)&&!l.some(y=>y.endsWith("*")&&t.startsWith(y.slice(
0,-1)))?"This key may not use it.":null;if(l.some(y=>y.endsWith("*")))return o(ae,{label:"Model",value:t,onInput:n,list:l.filter(y=>!y.endsWith("*")),hint:c,wrong:h});
let m=(l.includes(t)?l:[t,...l]).map(y=>({value:y,label:y}));return o(Ve,{label:"Model",value:t,options:m,onChange:n,hint:c,wrong:h})}function hb({form:e,change:t}){
let{messages:n}=e,r=(s,i)=>t({messages:n.map((l,a)=>a===s?{...l,...i}:l)});return o(R,{children:[o(Ho,{label:"System",rows:2,value:e.system,onInput:s=>t({system:s}),
placeholder:"What the model is to be"}),n.map((s,i)=>o("div",{class:"message",children:[o("div",{class:"row",children:[o(Ve,{bare:!0,label:`Role of message ${i+
1}`,value:s.role,options:Kd.map(l=>({value:l,label:l})),onChange:l=>r(i,{role:l})}),n.length>1&&o("button",{type:"button",class:"quiet rest","aria-label":`Remov\
e message ${i+1}`,onClick:()=>t({messages:n.filter((l,a)=>a!==i)}),children:"Remove"})]}),o(Ho,{bare:!0,label:`Message ${i+1}`,rows:Math.min(16,Math.max(3,s.content.
split(`
`).length)),value:s.content,onInput:l=>r(i,{content:l})})]},i)),o("div",{class:"row",children:o("button",{type:"button",class:"quiet",onClick:()=>t({messages:[...n,
{role:"user",content:""}]}),children:"Add a message"})})]})}function Hd({data:e,since:t,until:n}){let r=new Date(t),s=Math.max(1,Math.round((new Date(n).getTime()-r.getTime())/Jl)),i=new Map;for(let{target:l="",at:a=t,calls:c,
failed:p}of e){let h=Math.floor((new Date(a).getTime()-r.getTime())/Jl);for(let m of[l,l.slice(0,l.indexOf("/"))]){let y=i.get(m);y||i.set(m,y=new Array(s).fill(
void 0));let b=y[h]??{calls:0,failed:0};y[h]={calls:b.calls+c,failed:b.failed+p}}}return{from:r,length:s,of:i}}var Jl=5*6e4,Ys=20,bb=5;function Wd({name:e,of:{from:t,
length:n,of:r}}){let s=r.get(e)??[],{zone:i}=F(),[l,a]=q(null),c=m=>{let y=m.currentTarget.getBoundingClientRect(),b=(m.clientX-y.left)/y.width;a({index:Math.min(
n-1,Math.max(0,Math.floor(b*n))),share:b})},p=m=>Dt(new Date(t.getTime()+m*Jl),i),h=l&&s[l.index];return o("div",{class:"cells",onPointerMove:c,onPointerLeave:()=>a(
null),children:[o("svg",{viewBox:`0 0 ${n} ${Ys}`,preserveAspectRatio:"none",role:"img","aria-label":yb(e,s,p),children:[o("rect",{class:"none",width:n,height:"\
2",y:Ys-2}),o("path",{class:"good",d:Ud(s,({calls:m,failed:y})=>[Gd(m,y),y<m?Ys:0])}),o("path",{class:"bad",d:Ud(s,({calls:m,failed:y})=>[0,Gd(m,y)])})]}),l&&o(
"div",{class:"tip","aria-hidden":"true",style:l.share>.5?{right:`${(1-l.share)*100+2}%`}:{left:`${l.share*100+2}%`},children:[o("div",{children:o("strong",{children:[
p(l.index)," – ",p(l.index+1)]})}),o("div",{children:h?`${ve(h.calls,"call")}, ${h.failed===0?"none":z(h.failed)} failed`:"no calls"})]})]})}function Gd(e,t){
return t===0?0:Math.max(bb,Math.round(Ys*t/e))}function Ud(e,t){let n="";return e.forEach((r,s)=>{if(!r||r.calls===0)return;let[i,l]=t(r);l>i&&(n+=`M${s} ${i}h1\
V${l}h-1z`)}),n}function yb(e,t,n){let[r,s]=[t.reduce((a,c)=>a+(c?.calls??0),0),t.reduce((a,c)=>a+(c?.failed??0),0)],i=t.reduce((a,c,p)=>(c?.failed??0)>(t[a]?.failed??
0)?p:a,0),l=t[i]?.failed??0;return`${e}, last 24 hours: ${ve(r,"call")}, ${lt(s,r)} failed${l>0?`, most at ${n(i)}: ${z(l)} of ${z(t[i]?.calls??0)}`:""}`}var Ql="24h",Bd={query:{by:"target,5m",since:Ql}};function Vd(){let e=G("GET /admin/v1/models",{}),t=G("GET /admin/v1/latency",Bd),[n,r]=q(!1);return o(Ne,{title:"\
Providers",of:e,children:o("section",{class:"panel","aria-label":"Providers",children:[o("header",{children:[o("h2",{children:"Providers and their targets"}),o(
"span",{class:"muted small",children:"State now; the rest last 24 hours"}),o("div",{class:"rest",children:[o(De,{list:!0,route:"GET /admin/v1/latency",asked:Bd}),
o(Nn,{label:"Show health as",value:n?"table":"strips",options:[{value:"strips",label:"Strips"},{value:"table",label:"Table"}],onChange:s=>r(s==="table")})]})]}),
n?o(ge,{of:t,isEmpty:({data:s})=>s.length===0,empty:o("span",{children:"No call in the last 24 hours."}),children:({data:s})=>o(Tb,{rows:s})}):o(ge,{of:e,children:({
data:s})=>o(vb,{models:s,fives:t.data})})]})})}function _b(e,t){let n=new Map(t.map(r=>[r,new Map]));for(let{target:r,health:s}of e.flatMap(i=>i.targets)){let i=r.
slice(0,r.indexOf("/"));n.set(i,(n.get(i)??new Map).set(r,s))}return n}function vb({models:e,fives:t}){let{providers:n,zone:r}=F(),s=G("GET /admin/v1/latency",{
query:{by:"target",since:Ql}}),i=G("GET /admin/v1/latency",{query:{by:"provider",since:Ql}}),l=No(()=>t&&Hd(t),[t]),a=new Map([...s.data?.data??[],...i.data?.data??
[]].map(c=>[c.target??c.provider??"",c]));return o("div",{class:"scroll",tabIndex:0,role:"group","aria-label":"Providers and targets, with their health",children:o(
"table",{class:"grouped",children:[o("thead",{children:o("tr",{children:[o("th",{scope:"col",children:"Provider, and its targets"}),o("th",{scope:"col",children:"\
State"}),o("th",{scope:"col",class:"strip-head",children:o(wb,{zone:r})}),o("th",{scope:"col",class:"num",children:"Calls"}),o("th",{scope:"col",class:"num",children:"\
Failed"}),o("th",{scope:"col",class:"num",title:"95 % of calls had their first content within",children:"First token, p95"}),o("th",{scope:"col",class:"num",children:"\
In flight"})]})}),[..._b(e,n)].map(([c,p])=>o(xb,{name:c,states:p,cells:l,speeds:a},c))]})})}function wb({zone:e}){let t=Date.now();return o("span",{class:"hour\
s",children:[o("span",{class:"unseen",children:"Last 24 hours"}),[24,18,12,6].map(n=>o("span",{"aria-hidden":"true",children:Dt(new Date(t-n*36e5),e)},n)),o("sp\
an",{"aria-hidden":"true",children:"now"})]})}function xb({name:e,states:t,cells:n,speeds:r}){let s=[...t.values()].reduce((i,l)=>i+(l?.in_flight??0),0);return o(
"tbody",{children:[o("tr",{class:"first",children:[o("th",{scope:"rowgroup",children:e}),o("td",{children:o(kb,{states:t})}),o(jd,{name:e,cells:n,row:r.get(e)}),
o("td",{class:"num",children:z(s)})]}),[...t].map(([i,l])=>o("tr",{children:[o("td",{class:"target",children:o("code",{children:i.slice(e.length+1)})}),o("td",{
children:o(qr,{health:l})}),o(jd,{name:i,cells:n,row:r.get(i)}),o("td",{class:"num",children:l?z(l.in_flight):"–"})]},i))]})}function kb({states:e}){let t=[...e.
values()].find(n=>n!==null);return t?o("span",{class:"muted",children:t.credentials===0?"no credential wanted":ve(t.credentials,"credential")}):o("span",{class:"\
muted",children:"no model uses it"})}function jd({name:e,cells:t,row:n}){return o(R,{children:[o("td",{class:"strip-cell",children:t&&o(Wd,{name:e,of:t})}),o("t\
d",{class:"num",children:n?z(n.calls):"–"}),o("td",{class:n&&n.failed>0?"num warn":"num",children:n?lt(n.failed,n.calls):"–"}),o("td",{class:"num",children:Se(
n?.first.p95_us??null)})]})}function Tb({rows:e}){let{zone:t}=F();return o(Ie,{label:"Calls and failures of each target in five minutes",columns:[{key:"at",title:"\
Five minutes from",cell:r=>mt(new Date(r.at??0),t),sort:r=>r.at??""},{key:"target",title:"Target",cell:r=>o("code",{children:r.target}),sort:r=>r.target??""},{key:"\
calls",title:"Calls",num:!0,cell:r=>z(r.calls),sort:r=>r.calls},{key:"failed",title:"Failed",num:!0,cell:r=>r.failed>0?o("span",{class:"warn",children:z(r.failed)}):
"0",sort:r=>r.failed}],rows:e.slice(-2e3),id:r=>`${r.target} ${r.at}`,sorted:"-at"})}var Yd={rows:null,next:null,searched:null,loading:!0,error:null};function Zd(e,t){let n=JSON.stringify(t),[r,s]=q(Yd),i=pt(null),l=Io((a,c)=>{i.current?.abort();
let{signal:p}=i.current=new AbortController;s(m=>({...m,loading:!0,error:null}));let h={...JSON.parse(n),...a!==null&&{cursor:a}};Li("GET",zo(e,{query:h}),void 0,
p).then(m=>s(Sb(c,m))).catch(m=>{p.aborted||s(y=>({...y,loading:!1,error:tn(m)}))})},[e,n]);return de(()=>(s(Yd),l(null,[]),()=>i.current?.abort()),[l]),{...r,more:()=>l(
r.next,r.rows??[])}}function Sb(e,t){return{rows:[...e,...t.data],next:t.next,searched:t.searched_until?new Date(t.searched_until):null,loading:!1,error:null}}var Xl=[["key","key"],["team","team"],["model","model"],["provider","provider"],["target","target"],["status","status"],["outcome","outcome"],["flag","flag"],["\
tag","tag"],["min_took","slower"]];function Jd(){let{params:e}=le(),t=e.get("request"),n=xt(e),r=Cb(e,{since:n.since,...n.until&&{until:n.until}});return o(Ne,{
title:"Requests",period:!0,team:!0,children:[o(Eb,{}),o(Db,{query:r,opened:t}),t!==null&&o(ur,{id:t,onClose:()=>te({request:null})},t)]})}function Cb(e,t){let n={
...t};for(let[s]of Xl){let i=e.get(s);i&&(n[s]=i)}let r=Number(e.get("dearer"));return r>0&&(n.min_cost_nanodollars=Math.round(r*1e9)),n}function Pb(e){let t=Xl.
filter(([n])=>e[n]!==void 0).map(([n,r])=>`--${r} ${kt(String(e[n]))}`);e.min_cost_nanodollars&&t.push(`--dearer ${Number(e.min_cost_nanodollars)/1e9}`);for(let n of[
"since","until"])e[n]&&t.push(`--${n} ${e[n]}`);return["weir requests",...t].join(" ")}function Eb(){let{params:e}=le(),{models:t,providers:n}=F(),r=G("GET /adm\
in/v1/keys",{query:{limit:1e3}}),s=[...Xl.map(([b])=>b),"dearer"].filter(b=>b!=="team"),[i,l]=q({}),[a,c]=q("");de(()=>{l(Object.fromEntries(s.map(b=>[b,e.get(b)??
""]))),c("")},[e.toString()]);let p=s.some(b=>e.get(b)),h=b=>w=>l({...i,[b]:w}),m=(b={})=>te({...i,...b,...a.trim()&&{request:a.trim()}}),y=(b,w,M,P={})=>o(ae,{
label:w,value:i[b]??"",onInput:h(b),size:M,...P});return o("form",{class:"filters many",onSubmit:b=>{b.preventDefault(),m()},onChange:b=>b.target instanceof HTMLInputElement&&
m(),children:[y("key","Key",12,{list:(r.data?.data??[]).map(b=>b.name)}),y("model","Model",10,{list:t}),y("provider","Provider",10,{list:n}),o(Ve,{label:"Status",
value:i.status??"",options:["","ok","failed","canceled"].map(b=>({value:b,label:b||"any"})),onChange:b=>m({status:b})}),y("outcome","Outcome",10,{list:Mb}),y("m\
in_took","Slower than",7,{placeholder:"10s"}),y("dearer","Dearer than, $",7,{placeholder:"0.05"}),y("tag","Tag",10,{placeholder:"name=value"}),o(ae,{label:"Id",
value:a,onInput:c,size:12,placeholder:"req_…"}),o("button",{class:"unseen",type:"submit",children:"Find"}),p&&o("button",{type:"button",class:"quiet",onClick:()=>te(
Object.fromEntries(s.map(b=>[b,null]))),children:"Clear"})]})}var Mb=["ok","unreachable","timeout","failed","malformed","overloaded","rate_limited","credential",
"denied","misconfigured","model_not_found","too_long","refused","moderated","canceled","lost","budget"];function Db({query:e,opened:t}){let{zone:n}=F(),r=Zd("GE\
T /admin/v1/requests",e),{rows:s,loading:i,error:l,searched:a,next:c}=r;return o("section",{class:"panel","aria-label":"Requests found",children:[o("header",{children:[
o("h2",{children:s===null?"Requests":`${ve(s.length,"request")}${c===null?"":" so far"}`}),o("span",{class:"muted small",children:n}),o("div",{class:"rest",children:o(
De,{list:!0,route:"GET /admin/v1/requests",asked:{query:{...e,limit:1e3}},command:Pb(e)})})]}),o(ys,{shown:i}),s!==null&&s.length>0&&o(Ie,{label:"Requests",columns:Bs(
n),rows:s,id:p=>p.request,selected:t,onOpen:p=>te({request:p.request})}),l&&o(co,{error:l,retry:r.more}),s!==null&&!l&&o("div",{class:"state small",children:[s.
length===0&&c===null&&o("strong",{children:"No request is like this"}),o("div",{class:"row",children:[o("span",{children:a?`Searched back to ${mt(a,n)}.`:"That \
is all there is in this period."}),c!==null&&o("button",{disabled:i,onClick:r.more,children:"Search further back"})]})]})]})}function Qd({name:e}){let t=G("GET /admin/v1/teams/{team}",{path:{team:e}}),n=xn("PATCH /admin/v1/teams/{team}")&&t.data?.source==="store"&&t.data.status!=="rev\
oked";return o(Ne,{title:t.data?.name??"Team",up:{path:"/teams",title:"Teams"},mark:t.data&&o(Ar,{of:t.data}),period:!0,of:t,tools:n&&o(Rb,{}),children:o(ge,{of:t,
children:r=>o(qb,{of:r,may:n})})})}function Rb(){return o(R,{children:[o("button",{onClick:()=>ft("edit"),children:"Edit"}),o("button",{class:"danger",onClick:()=>ft(
"revoke"),children:"Revoke"})]})}function qb({of:e,may:t}){let[n]=Wn(),r=xn("POST /admin/v1/keys")&&e.status==="active",s={query:{team:e.id}},i=G("GET /admin/v1\
/limits",e.status==="active"?s:null),l=G("GET /admin/v1/keys",{query:{limit:1e3}}),a=(l.data?.data??[]).filter(c=>c.team_id===e.id&&c.status!=="revoked");return o(
"div",{class:"stack",children:[e.status==="revoked"&&o(Vn,{children:[o("span",{class:"warn",children:"The team is revoked."}),o("span",{children:"Its keys are r\
efused until they are in another team."})]}),o(Gs,{of:e,list:"teams"}),o("div",{class:"sides",children:[e.status==="active"&&o(Hs,{of:i,asked:s,command:`weir li\
mits --team ${e.id}`,may:t}),o("section",{class:"panel","aria-label":"About the team",children:[o("header",{children:o("h2",{children:"About the team"})}),o("dl",
{class:"pairs body",children:[o(Us,{of:e}),o("dt",{children:"Lives in"}),o("dd",{children:e.source==="config"?"the config file":"the store"})]})]})]}),o(Ws,{only:{
team:e.id}}),o($b,{of:l,members:a,team:e,may:r}),t&&n==="edit"&&o(Nu,{of:e}),t&&n==="revoke"&&o(Uu,{of:e,keys:l.data?.next===null?a.length:null}),r&&n==="create"&&
o(Ts,{team:e.name})]})}function $b({of:e,members:t,team:n,may:r}){let s=Yn("key",{team:n.id});return o("section",{class:"panel","aria-label":"Keys of the team",
children:[o("header",{children:[o("h2",{children:"Keys"}),o("div",{class:"rest",children:[o(De,{list:!0,route:"GET /admin/v1/usage",asked:{query:{by:"key",team:n.
id,since:"30d"}},command:`weir usage --by key --team ${n.id} --since 30d`}),r&&o("button",{class:"quiet",onClick:()=>ft("create"),children:"Create key"})]})]}),
o(ge,{of:e,isEmpty:()=>t.length===0,empty:o(Ab,{team:n,may:r}),children:({data:i,next:l})=>o(R,{children:[o(Ie,{label:"Keys of the team",columns:Lb(s),rows:t,id:a=>a.
id,sorted:"-spent",most:50}),l!==null&&o("p",{class:"state small",children:["Only the first ",z(i.length)," keys of all were looked at."]})]})})]})}function Ab({
team:e,may:t}){return o(R,{children:[o("strong",{children:"No key is in this team"}),o("pre",{class:"code",children:["weir keys create --name my-app --team ",e.
name]}),t&&o("button",{onClick:()=>ft("create"),children:"Create key"})]})}function Lb(e){return[{key:"name",title:"Key",cell:t=>o("div",{class:"words",children:[
o("a",{href:ne("/keys/"+encodeURIComponent(t.id)),children:t.name}),o("span",{class:"second mono",children:t.id})]}),sort:t=>t.name},{key:"spent",title:"Spent i\
n 30 days",num:!0,cell:t=>o(Vo,{spending:e,id:t.id}),sort:t=>e.of.get(t.id)?.cost??-1},{key:"models",title:"Models",cell:t=>o(zn,{models:t.models})},{key:"bound\
s",title:"Budgets, limits",cell:t=>o(jo,{of:t}),sort:Wo},{key:"status",title:"Status",cell:t=>o(Bo,{of:t}),sort:t=>In(t).word}]}var ea={query:{limit:1e3}},Ob=[{value:"",label:"Not revoked"},{value:"revoked",label:"Revoked"},{value:"all",label:"All"}];function Xd(){let e=G("GET /admin/v1/\
teams",ea),[t]=Wn(),n=xn("POST /admin/v1/teams");return o(Ne,{title:"Teams",of:e,tools:n&&o("button",{class:"primary",onClick:()=>ft("create"),children:"Create \
team"}),children:[o("section",{class:"panel","aria-label":"Teams",children:[o("header",{children:[o(Fb,{}),o("div",{class:"rest",children:o(De,{list:!0,route:"G\
ET /admin/v1/teams",asked:ea,command:"weir teams list"})})]}),o(ge,{of:e,isEmpty:({data:r})=>r.length===0,empty:o(Kb,{may:n}),children:({data:r,next:s})=>o(Nb,{
teams:r,more:s!==null})})]}),t==="create"&&n&&o(Ku,{})]})}function Fb(){let{params:e}=le();return o("div",{class:"filters",role:"search","aria-label":"Teams",children:[
o(ae,{bare:!0,label:"Name",type:"search",placeholder:"Name",value:e.get("q")??"",onInput:t=>te({q:t},!0)}),o(Ve,{bare:!0,label:"Status",value:e.get("status")??"",
options:Ob,onChange:t=>te({status:t})})]})}function Kb({may:e}){return o(R,{children:[o("strong",{children:"No team yet"}),o("span",{children:"A team bounds wha\
t several keys use and spend together. Make one here or on the command line:"}),o("pre",{class:"code",children:"weir teams create --name research --budget 500us\
d/month"}),e&&o("button",{class:"primary",onClick:()=>ft("create"),children:"Create team"})]})}function Nb({teams:e,more:t}){let n=Yn("team"),r=G("GET /admin/v1\
/keys",ea),{params:s}=le(),[i,l]=[(s.get("q")??"").toLowerCase(),s.get("status")??""],a=e.filter(p=>(i===""||p.name.toLowerCase().includes(i)||p.id===i)&&(l==="\
all"||l==="revoked"==(p.status==="revoked"))),c=r.data?{of:Ib(r.data.data),whole:r.data.next===null}:null;return o(R,{children:[a.length===0?o("div",{class:"sta\
te",children:[o("strong",{children:"No team matches"}),o("button",{onClick:()=>te({q:null,status:null}),children:"Clear filters"})]}):o(Ie,{label:"Teams",columns:zb(
n,c),rows:a,id:p=>p.id,sorted:"-spent",most:100}),t&&o("p",{class:"state small",children:["Only the first ",z(e.length)," teams are listed. weir teams list has \
all."]}),o("p",{class:"unseen",role:"status",children:[a.length," of ",e.length," teams are shown"]})]})}function Ib(e){let t=new Map;for(let n of e)n.team_id&&
n.status!=="revoked"&&t.set(n.team_id,(t.get(n.team_id)??0)+1);return t}function zb(e,t){let n=r=>t?.of.get(r.id)??0;return[{key:"name",title:"Team",cell:r=>o("\
div",{class:"words",children:[o("a",{href:ne("/teams/"+encodeURIComponent(r.id)),children:r.name}),o("span",{class:"second mono",children:r.id})]}),sort:r=>r.name},
{key:"keys",title:"Keys",num:!0,cell:r=>t?o("a",{href:ne("/keys",{team:r.name}),children:[z(n(r)),t.whole?"":" +"]}):"–",sort:n},{key:"spent",title:"Spent in \
30 days",num:!0,cell:r=>o(Vo,{spending:e,id:r.id}),sort:r=>e.of.get(r.id)?.cost??-1},{key:"models",title:"Models",cell:r=>o(zn,{models:r.models}),sort:r=>(r.models??
[]).join()},{key:"bounds",title:"Budgets, limits",cell:r=>o(jo,{of:r}),sort:Wo},{key:"status",title:"Status",cell:r=>o(Bo,{of:r}),sort:r=>In(r).word}]}var oa=[{name:"cost",title:"Cost",of:e=>e.cost_nanodollars,format:fe,axis:Go},{name:"requests",title:"Requests",of:e=>e.requests,format:z,axis:nn},{name:"tokens",
title:"Tokens",of:e=>e.input_tokens+e.output_tokens,format:z,axis:nn},{name:"calls",title:"Calls",of:e=>e.attempts,format:z,axis:nn}],Zs=["model","team","key","\
provider","tag"],ta=500;function ep(){let{zone:e}=F(),t=Gb(le().params,e),n={query:{by:[t.by,t.then].filter(Boolean).join(","),...sa(t)}},r=G("GET /admin/v1/usa\
ge",n);return o(Ne,{title:"Usage",period:!0,team:!0,of:r,children:[o(Ub,{question:t}),o(Hb,{question:t}),o("section",{class:"panel","aria-label":"Sums",children:[
o("header",{children:[o("h2",{children:[t.metric.title," by ",t.by,t.then&&` and ${t.then}`]}),o("span",{class:"muted small",children:fn(t.period,e)}),o("div",{
class:"rest",children:o(De,{list:!0,route:"GET /admin/v1/usage",asked:n,command:tp(n.query)})})]}),o(ge,{of:r,isEmpty:({data:s})=>s.length===0,empty:o(Yl,{}),children:({
data:s})=>o(Wb,{rows:s,question:t})})]})]})}function Gb(e,t){let n=xt(e),r=Zs.find(c=>c===e.get("by"))??"model",s=Zs.find(c=>c===e.get("then")&&c!==r)??"",i=uo(
n,t),l=["hour","day","month"].find(c=>c===e.get("grain"))??(r==="tag"&&i==="hour"?"day":i),a={};for(let c of["key","team","model"]){let p=e.get(c);p&&(a[c]=p)}return{
by:r,then:s,grain:l,period:n,filters:a,metric:oa.find(c=>c.name===e.get("metric"))??oa[0],compare:e.get("compare")!==null,classes:e.get("classes")!==null}}function sa({
period:e,filters:t}){return{since:e.since,...e.until&&{until:e.until},...t}}function tp(e){return["weir usage",...Object.entries(e).map(([t,n])=>`--${t} ${kt(n)}`)].
join(" ")}function na(e){return e.map(t=>({value:t,label:t||"–"}))}function Ub({question:e}){let{by:t,then:n,metric:r,grain:s,filters:i}=e,l=["",...Zs].filter(
a=>a!==t&&(t!=="tag"||a===""||a==="key")&&(a!=="tag"||t==="key"));return o("div",{class:"filters",children:[o(Ve,{label:"Group by",value:t,options:na(Zs),onChange:a=>te(
{by:a,then:null})}),o(Ve,{label:"then by",value:n,options:na(l),onChange:a=>te({then:a})}),o(Ve,{label:"Figure",value:r.name,options:oa.map(a=>({value:a.name,label:a.
title})),onChange:a=>te({metric:a==="cost"?null:a})}),o(Ve,{label:"Per",value:s,options:na(t==="tag"?["day","month"]:["hour","day","month"]),onChange:a=>te({grain:a})}),
o(gn,{label:"Compare with the span before",checked:e.compare,onChange:a=>te({compare:a?"1":null})}),o(gn,{label:"Classes of tokens",checked:e.classes,onChange:a=>te(
{classes:a?"1":null})}),["key","model"].map(a=>i[a]!==void 0&&o("button",{type:"button",onClick:()=>te({[a]:null}),title:"Take this filter out",children:[a,": ",
i[a]," ✕"]},a))]})}function Hb({question:e}){let{zone:t}=F(),{by:n,grain:r,metric:s}=e,i={query:{by:`${n},${r}`,...sa(e)}},l=G("GET /admin/v1/usage",i);return o(
ge,{of:l,children:({data:a,since:c,until:p})=>{let h=Cn(new Date(c),new Date(p),r,t),m=Qo({rows:a,xs:h,zone:t,group:y=>po(y,n),value:s.of});return o(_o,{title:`${s.
title} per ${r}, by ${n}`,kind:"bars",grain:r,xs:h,until:new Date,series:m,format:s.format,axis:s.axis,tools:o(De,{list:!0,route:"GET /admin/v1/usage",asked:i,command:tp(
i.query)}),...np(n)&&{onPick:y=>te({[n]:y})}})}})}function np(e){return e==="key"||e==="team"||e==="model"}function Wb({rows:e,question:t}){let{zone:n}=F(),{by:r,
then:s,period:i,compare:l,metric:a}=t,c=G("GET /admin/v1/usage",l?{query:{by:[r,s].filter(Boolean).join(","),...sa({...t,period:hs(i,n)})}}:null),p=l?new Map((c.
data?.data??[]).map(m=>[ra(m,t),m])):null,h=e.toSorted((m,y)=>a.of(y)-a.of(m)).slice(0,ta);return o(R,{children:[o(Ie,{label:"Sums",columns:Bb(t,e,p),rows:h,id:m=>ra(
m,t),sorted:`-${a.name}`},`${r}.${s}.${a.name}`),e.length>ta&&o("p",{class:"state small",children:["The first ",z(ta)," of ",ve(e.length,"line"),". The CSV has \
all."]})]})}function ra(e,{by:t,then:n}){return JSON.stringify([t,n].map(r=>r===""?"":e[r]))}function Bb(e,t,n){let{by:r,then:s,metric:i,classes:l}=e,a=m=>t.reduce(
(y,b)=>y+m(b),0),c=Math.max(0,...t.map(i.of)),p=(m,y,b)=>({key:m,title:y,num:!0,cell:w=>z(b(w)),sort:b,sum:z(a(b))}),h=[r,s].filter(Boolean).map((m,y)=>jb(m,y===
0));return h.push({key:"cost",title:"Cost",num:!0,cell:m=>o("span",{title:Me(m.cost_nanodollars),children:[m.estimated>0&&"~ ",fe(m.cost_nanodollars)]}),sort:m=>m.
cost_nanodollars,sum:o("span",{title:Me(a(m=>m.cost_nanodollars)),children:[a(m=>m.estimated)>0&&"~ ",fe(a(m=>m.cost_nanodollars))]}),hint:"~: of some calls Wei\
r counted the tokens"},{key:"share",title:"Share",cell:m=>o(Tn,{part:i.of(m),whole:c})}),n&&h.push(Yb(e,n)),h.push(p("requests","Requests",m=>m.requests),p("cal\
ls","Calls",m=>m.attempts),p("tokens","Tokens",m=>m.input_tokens+m.output_tokens)),l?h.push(p("fresh","Fresh",m=>m.input_tokens-m.cache_read_tokens-m.cache_write_tokens),
p("read","From caches",m=>m.cache_read_tokens),p("write","Into caches",m=>m.cache_write_tokens),p("output","Output",m=>m.output_tokens),p("reasoning","of it rea\
soning",m=>m.reasoning_tokens)):h.push({key:"cached",title:"From caches",num:!0,cell:m=>lt(m.cache_read_tokens,m.input_tokens),sort:m=>m.input_tokens?m.cache_read_tokens/
m.input_tokens:0,sum:lt(a(m=>m.cache_read_tokens),a(m=>m.input_tokens))}),h}function jb(e,t){let n=e[0].toUpperCase()+e.slice(1);return{key:e,title:n,cell:r=>o(
"a",{href:Vb(r,e),children:po(r,e)}),sort:r=>po(r,e),...t&&{sum:"All"}}}function Vb(e,t){let n=t==="key"?e.key??"":t==="team"?e.team??"":po(e,t);return np(t)&&n!==
""?Cr({[t]:n}):ne("/requests",{[t]:n})}function Yb({metric:e,...t},n){let r=s=>{let i=n.get(ra(s,{metric:e,...t}));return i?e.of(i):0};return{key:"before",title:"\
Span before",num:!0,cell:s=>o("span",{title:Tr(e.of(s),r(s)),children:e.format(r(s))}),sort:r,sum:e.format([...n.values()].reduce((s,i)=>s+e.of(i),0))}}var Js=[{path:"/",title:"Overview",group:"",page:Od},{path:"/usage",title:"Usage",group:"",page:ep},{path:"/requests",title:"Requests",group:"",page:Jd},{path:"\
/models",title:"Models",group:"Serve",page:Ad},{path:"/providers",title:"Providers",group:"Serve",page:Vd},{path:"/explain",title:"Explain",group:"Serve",page:Mu},
{path:"/playground",title:"Playground",group:"Serve",page:zd},{path:"/keys",title:"Keys",group:"Access",page:qd,one:Dd},{path:"/teams",title:"Teams",group:"Acce\
ss",page:Xd,one:Qd}];function Qs(e){for(let t of Js){if(t.path===e)return{row:t,name:null};if(!t.one||!e.startsWith(t.path+"/"))continue;let n=Zb(e.slice(t.path.
length+1));if(n!=="")return{row:t,name:n}}return null}function Zb(e){try{return e.includes("/")?"":decodeURIComponent(e)}catch{return""}}var Jb=12;function op(){let[e,t]=q(""),[n,r]=q(!1),[s,i]=q(0),l=pt(null),a=Qb(e.trim(),n);Xb(l);let c=m=>{m&&(r(!1),t(""),l.current?.blur(),Fn(m.href))},p=m=>{if(m.
key==="ArrowDown")i(Math.min(s+1,a.length-1));else if(m.key==="ArrowUp")i(Math.max(s-1,0));else if(m.key==="Enter")c(a[s]);else if(m.key==="Escape")r(!1);else return;
m.preventDefault()},h=n&&a.length>0;return o("div",{class:"search",role:"search",children:[o("input",{ref:l,role:"combobox","aria-label":"Search keys, models, r\
equest ids","aria-expanded":h,"aria-controls":"hits","aria-autocomplete":"list","aria-activedescendant":h?`hit-${s}`:void 0,placeholder:"Search  /",autocomplete:"\
off",spellcheck:!1,value:e,onInput:m=>{t(m.currentTarget.value),r(!0),i(0)},onFocus:()=>r(!0),onBlur:()=>r(!1),onKeyDown:p}),o("ul",{id:"hits",role:"listbox","a\
ria-label":"Found",hidden:!h,children:a.map((m,y)=>o("li",{id:`hit-${y}`,role:"option","aria-selected":y===s,onMouseDown:b=>{b.preventDefault(),c(m)},children:[
o("span",{children:m.name}),o("span",{class:"muted small",children:m.kind})]},m.href))})]})}function Qb(e,t){let{models:n}=F(),r=G("GET /admin/v1/keys",t?{query:{
limit:1e3}}:null);if(e==="")return[];if(/^req_/.test(e))return[{kind:"request",name:e,href:ne("/requests",{request:e})}];let s=l=>l.toLowerCase().includes(e.toLowerCase()),
i=n.filter(s).map(l=>({kind:"model",name:l,href:ne("/requests",{model:l})}));for(let l of r.data?.data??[])(s(l.name)||l.id===e)&&i.push({kind:"key",name:l.name,
href:ne("/keys/"+encodeURIComponent(l.id))});return i.slice(0,Jb)}function Xb(e){de(()=>{let t=n=>{let r=n.target instanceof HTMLElement&&n.target.matches("inpu\
t, textarea, select");n.key!=="/"||r||n.ctrlKey||n.metaKey||n.altKey||(n.preventDefault(),e.current?.focus())};return addEventListener("keydown",t),()=>removeEventListener(
"keydown",t)},[])}function Xs(){return o("svg",{viewBox:"0 0 16 16",width:"20",height:"20","aria-hidden":"true",children:[o("rect",{width:"16",height:"16",rx:"3",fill:"var(--acce\
nt)"}),o("path",{d:"M3 5l2.500 6L8 5.500l2.500 5.500L13 5",fill:"none",stroke:"var(--panel)","stroke-width":"1.6","stroke-linejoin":"round","stroke-linecap":"ro\
und"})]})}function rp({onLeave:e}){let{path:t}=le(),[n,r]=q(!1);de(()=>r(!1),[t]);let s=Qs(t),i=()=>{mu().finally(e)};return o(R,{children:[o("a",{class:"skip",
href:"#page",children:"To the page"}),o("div",{class:"shell",children:[o("header",{class:"bar",children:[o("a",{class:"brand",href:ne("/"),children:[o(Xs,{}),"W\
eir"]}),o("button",{class:"rest","aria-expanded":n,onClick:()=>r(!n),children:"Menu"})]}),o(ny,{shown:n,path:s?.row.path??""}),o("div",{class:"content",children:[
o(ty,{onLeave:i}),o("main",{id:"page",tabIndex:-1,children:ey(s)})]})]})]})}function ey(e){return e?e.row.one&&e.name!==null?o(e.row.one,{name:e.name},e.name):o(
e.row.page,{}):o(ry,{})}function ty({onLeave:e}){let{session:t,zone:n}=F();return t.expires===null?null:o("div",{class:"banner",role:"region","aria-label":"Sess\
ion",children:[o("span",{children:["Signed in with the admin token, until ",Dt(new Date(t.expires),n),"."]}),o("button",{class:"quiet",onClick:e,children:"Sign \
out"})]})}function ny({shown:e,path:t}){let n=[...new Set(Js.map(r=>r.group))];return o("aside",{class:e?"side shown":"side","aria-label":"Console",children:[o(
"a",{class:"brand",href:ne("/"),children:[o(Xs,{}),"Weir"]}),o(op,{}),o("nav",{"aria-label":"Pages",children:n.map(r=>o("div",{children:[r!==""&&o("p",{children:r}),
Js.filter(s=>s.group===r).map(s=>o("a",{href:ne(s.path),"aria-current":s.path===t?"page":void 0,children:s.title},s.path))]},r))}),o("div",{class:"foot",children:o(
oy,{})})]})}function oy(){let[e,t]=q(Ss),n=r=>{let s=Bu.find(i=>i===r)??"system";ju(s),t(s)};return de(()=>Fr(e),[]),o(Nn,{label:"Colour scheme",value:e,options:[
{value:"light",label:"Light"},{value:"dark",label:"Dark"},{value:"system",label:"System"}],onChange:n})}function ry(){return o(R,{children:[o("h1",{children:"Th\
ere is no such page"}),o("p",{children:o("a",{href:ne("/"),children:"Overview"})})]})}function sp({onSession:e}){let[t,n]=q(""),[r,s]=q(!1),[i,l]=q(null);return de(()=>{document.title="Sign in · Weir"},[]),o("main",{class:"login",children:[o("h1",
{class:"row",children:[o(Xs,{}),"Weir"]}),o("form",{onSubmit:c=>{c.preventDefault(),s(!0),pu(t.trim()).then(e,p=>l(tn(p))).finally(()=>s(!1))},children:[o(ae,{label:"\
Admin token",type:"password",value:t,onInput:n,required:!0,autofocus:!0,wrong:i?.message??null,hint:"It is admin.token in the config, else in the file admin.tok\
en of the data folder."}),o("div",{class:"row",children:o("button",{class:"primary",disabled:r||t.trim()==="",children:"Sign in"})})]})]})}function sy(){let[e,t]=q({is:"asking"}),n=Io(r=>{r.then(iy).then(s=>t({is:"in",known:s}),s=>{let i=tn(s);t(i.status===401?{is:"out"}:{is:"failed",error:i})})},[]);
switch(de(()=>{let r=()=>t({is:"out"});return ms.addEventListener("ended",r),n(Ni()),()=>ms.removeEventListener("ended",r)},[]),e.is){case"asking":return null;case"\
out":return o(sp,{onSession:r=>n(Promise.resolve(r))});case"failed":return o("main",{class:"login",children:o(co,{error:e.error,retry:()=>n(Ni())})});case"in":return o(
Ki.Provider,{value:e.known,children:o(rp,{onLeave:()=>t({is:"out"})})})}}async function iy(e){let t=await We("GET /admin/v1/config");return{session:e,zone:t.timezone,
models:t.models,providers:t.providers,url:ly(t.url)}}function ly(e){let t=new URL(e),n=r=>r==="localhost"||r==="[::1]"||r.startsWith("127.");return n(t.hostname)&&
!n(location.hostname)&&(t.hostname=location.hostname),t.origin}Fr(Ss());wu(e=>Qs(e)!==null);Va(o(sy,{}),document.body);
